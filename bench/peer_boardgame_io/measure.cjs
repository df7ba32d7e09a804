// What bench/server.py measures of ours, of boardgame.io: node measure.cjs [moves per second, 0 for flat out] [seconds]
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const { Client } = require("boardgame.io/client");
const { SocketIO } = require("boardgame.io/multiplayer");
const { Cells, CELLS } = require("./game.cjs");

const TABLES = 100;
const rate = Number(process.argv[2] ?? 100);
const seconds = Number(process.argv[3] ?? 10);
const sleep = (ms) => new Promise((done) => setTimeout(done, Math.max(0, ms)));
const now = () => performance.now();

function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop().split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function privateBytes(pid) {
  const lines = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8").split("\n");
  return 1024 * lines.filter((l) => /^(Private_Dirty|Swap):/.test(l)).reduce((sum, l) => sum + Number(l.split(/\s+/)[1]), 0);
}

class Duel {
  constructor(port, matchID) {
    this.waits = [];
    this.busy = false;
    this.clients = ["0", "1"].map((playerID) => {
      const multiplayer = SocketIO({ server: `http://127.0.0.1:${port}`, socketOpts: { transports: ["websocket"] } });
      const client = Client({ game: Cells, numPlayers: 2, matchID, playerID, multiplayer, debug: false });
      client.start();
      return client;
    });
  }

  async until(condition) {
    // Clients know their own move before the server does: only the other's state says that it went through.
    while (!this.clients.every((client) => client.getState() && condition(client))) {
      await new Promise((done) => (this.wake = done));
    }
  }

  listen() {
    for (const client of this.clients) client.subscribe(() => this.wake?.());
  }

  async move() {
    this.busy = true;
    const mover = this.clients[this.waits.length % 2];
    const version = mover.getState()._stateID + 1;
    const started = now();
    mover.moves.mark(Math.floor(Math.random() * CELLS));
    await this.until((client) => client.getState()._stateID >= version);
    this.waits.push(now() - started);
    this.busy = false;
  }
}

async function openTables(port, count, name) {
  const duels = [];
  for (let i = 0; i < count; i++) {
    const duel = new Duel(port, `${name}${i}`);
    duel.listen();
    await duel.until(() => true);
    duels.push(duel);
  }
  return duels;
}

async function paced(duels) {
  const started = now();
  const running = [];
  const queue = [...duels];
  for (let made = 0; made < rate * seconds; made++) {
    await sleep(started + (1000 * made) / rate - now());
    const at = queue.findIndex((duel) => !duel.busy);
    if (at < 0) break;
    const [duel] = queue.splice(at, 1);
    queue.push(duel);
    running.push(duel.move());
  }
  await Promise.all(running);
}

async function flatOut(duels) {
  const end = now() + 1000 * seconds;
  await Promise.all(
    duels.map(async (duel) => {
      while (now() < end) await duel.move();
    }),
  );
}

async function main() {
  const server = spawn(process.execPath, ["server.cjs"], { cwd: __dirname, env: { ...process.env, NODE_ENV: "production" } });
  server.stderr.pipe(process.stderr);
  const port = await new Promise((done) => {
    createInterface(server.stdout).on("line", (line) => line.startsWith("PORT ") && done(line.slice(5)));
  });
  const warm = await openTables(port, 20, "warm");
  for (let i = 0; i < 5; i++) await Promise.all(warm.map((duel) => duel.move()));
  await sleep(500);
  const before = privateBytes(server.pid);
  const duels = await openTables(port, TABLES, "table");
  await sleep(1000);
  const idle = (privateBytes(server.pid) - before) / TABLES;
  const cpu = cpuMs(server.pid);
  const started = now();
  await (rate ? paced(duels) : flatOut(duels));
  const spent = cpuMs(server.pid) - cpu;
  const took = (now() - started) / 1000;
  const waits = duels.flatMap((duel) => duel.waits).sort((a, b) => a - b);
  const at = (share) => waits[Math.floor((waits.length * share) / 100)].toFixed(1);
  console.log(
    `boardgame.io: ${TABLES} tables, ${waits.length} moves at ${(waits.length / took).toFixed(0)}/s: ` +
      `${(spent / waits.length).toFixed(2)} ms CPU per move, waits p50 ${at(50)} p99 ${at(99)} ms, ` +
      `${(idle / 1000).toFixed(0)} kB per idle table`,
  );
  server.kill();
  process.exit(0);
}

main();
