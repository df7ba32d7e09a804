// A game as plain as can be on as many cells as Double Dutch has: every move changes one, nobody ever wins.
const CELLS = 49;

exports.CELLS = CELLS;
exports.Cells = {
  name: "cells",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ cells: Array(CELLS).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    mark: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
    },
  },
};
