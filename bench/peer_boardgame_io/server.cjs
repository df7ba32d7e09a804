// boardgame.io's own server, games in memory, listening on loopback only.
const { Server, Origins } = require("boardgame.io/server");
const { Cells } = require("./game.cjs");

const server = Server({ games: [Cells], origins: [Origins.LOCALHOST] });
server.run({ port: 0, host: "127.0.0.1", callback: () => {} }).then((running) => {
  console.log(`PORT ${running.appServer.address().port}`);
});
