// Made from the server's messages by `python -m cupboard.server.wire.typescript`. Do not edit.
// Fields marked ? are left out when they have their default value, which stands behind them.

/** A message of the catalogues with what it is filled with; `str()` says it in English. */
export type Words = [key: string, values?: Record<string, string | number | Words> | (string | number | Words)[]];

export type Shape = "card" | "hollow" | "slot" | "square";

export type Kind = "back" | "bucket" | "card" | "cup" | "dome" | "peg" | "turned";

export type MarkKind = "danger" | "from" | "path" | "to";

export type LabelKind = "axis" | "count" | "name" | "note";

export type Role = "board" | "hand" | "note" | "open" | "place" | "supply";

export type Taking = "any-order" | "in-order";

/** A colour with a letter and a shape, so that it can be told without seeing colour. */
export interface Tint {
  name: string;
  letter: string;
  shape: string;
  fill: string;
  ink: string;
  words: Words;
}

/** A place one can point at. */
export interface Cell {
  spot: string;
  x: number;
  y: number;
  name: Words;
  label?: string; // ""
  shape?: Shape; // "hollow"
  tint?: string; // ""
  like?: string; // ""
  coordinate?: string; // ""
}

/** Something that stands on a cell; level 0 is the lowest of a stack. */
export interface Piece {
  spot: string;
  kind: Kind;
  tint?: string; // ""
  text?: string; // ""
  level?: number; // 0
  pose?: number[]; // []
}

/** Something to point at that is not on the board: "confirm". */
export interface Control {
  spot: string;
  text: Words;
}

/** A hint on a cell: where the last move came from, passed and went, or danger. */
export interface Mark {
  kind: MarkKind;
  spot: string;
}

/** Words printed beside the cells; a plain string is the same in every language. */
export interface Label {
  x: number;
  y: number;
  text: string | Words;
  kind?: LabelKind; // "axis"
}

/** What is shown of one seat beside the board. */
export interface PlayerPanel {
  seat: number;
  name: Words;
  tint: string;
  acts?: boolean; // false
  counts?: Record<string, number | string>; // {}
  note?: Words | null; // null
  attacks?: number | null; // null
  adds?: number | null; // null
  beats?: number | null; // null
}

export type Outline = [number, number][];

/** How the pieces of the parts with the role `place` stand in space, for a screen that draws them so. */
export interface Solid {
  across: number;
  height: number;
  foot: number;
  top: number;
}

/** Things that lie together: a board, what stands before a seat, somebody's hand. */
export interface Part {
  id: string;
  cells?: Cell[]; // []
  pieces?: Piece[]; // []
  labels?: Label[]; // []
  outlines?: Outline[]; // []
  owner?: number | null; // null
  role?: Role; // "board"
  taking?: Taking; // "in-order"
  tells?: boolean; // false
}

/** Everything a screen shows of a position or a view. */
export interface Scene {
  title: Words;
  status: Words;
  parts: Part[];
  players: PlayerPanel[];
  controls?: Control[]; // []
  marks?: Mark[]; // []
  tints?: Tint[]; // []
  solid?: Solid | null; // null
  direction?: number; // 0
  turns?: number[]; // []
  advice?: Words | null; // null
}

/** What differs in the part of this id; of a part that is new, everything that is not the default. */
export interface PartChange {
  id: string;
  cells?: Cell[];
  pieces?: Piece[];
  labels?: Label[];
  outlines?: Outline[];
  owner?: number | null;
  role?: Role;
  taking?: Taking;
  tells?: boolean;
}

/** A scene by what changed in it: title, tints, solid, turns and unmentioned parts stay. */
export interface SceneChange {
  status: Words;
  players: PlayerPanel[];
  controls?: Control[]; // []
  marks?: Mark[]; // []
  parts?: PartChange[]; // []
  order?: string[]; // []
  direction?: number; // 0
  advice?: Words | null; // null
}

/** Where too many moves are legal to list them: every order of the suggested pieces on the places is one. */
export interface Filling {
  spots: string[];
  suggestion: string[];
  pattern: string;
  kind: Kind;
  how: Words;
  done: Words;
}

/** What one may choose on one scale of an aim: a whole number from `least` to `most`. */
export interface Scale {
  least: number;
  most: number;
  usual: number;
  words: Words;
}

/** How to aim at one of several things and push it: where the finger touches it, which way and how hard it pushes. */
export interface Aiming {
  spots: string[];
  names: string[];
  pattern: string;
  strength: Scale;
  height: Scale;
  aside: Scale;
  turn: Scale;
  from_front: string;
  from_behind: string;
  how: Words;
}

/** How a game ended: the winners share one point, and nobody wins an abandoned solo. It is also sent to clients. */
export interface Outcome {
  winners: number[];
  seats: number;
  reason: string;
  sentence: Words;
}

export type OptionValue = boolean | number | string;

/** One thing people may agree on before a game begins; the kind of `default` decides the kind of value. */
export interface OptionInfo {
  name: string;
  words: Words;
  default: OptionValue;
  choices?: string[]; // []
  least?: number; // 0
  most?: number; // 0
  of_seats?: boolean; // false
}

/** How a level plays a game with one number of seats. */
export interface RungInfo {
  seats: number;
  elo: number;
  words: Words;
}

/** A bot one can play against. */
export interface LevelInfo {
  level: string;
  title: Words;
  words: Words;
  seats?: number[]; // []
  rungs?: RungInfo[]; // []
}

/** A kind of piece with which a position can be set up by hand. */
export interface LoosePiece {
  kind: Kind;
  tint: string;
}

/** A game in the cupboard. */
export interface GameInfo {
  name: string;
  title: Words;
  blurb: Words;
  minutes: number;
  seats: number[];
  options: OptionInfo[];
  levels: LevelInfo[];
  tints: Tint[];
  secrets?: boolean; // false
  draws?: boolean; // true
  lessons?: number; // 0
  loose?: LoosePiece[]; // []
}

/** How far a game is: the first time on a machine it is compiled while the server runs. */
export interface GameReadiness {
  game: string;
  state: "bots" | "ready" | "rules";
  seconds?: number; // 0
  levels?: string[]; // []
}

export type SeatKind = "bot" | "friend" | "me" | "open";

export type TableStatus = "over" | "playing" | "waiting";

/** Time limits: a Fischer clock of `start` seconds and `gain` seconds per move; or `days` for each move. */
export interface Clock {
  start?: number; // 0
  gain?: number; // 0
  days?: number; // 0
}

/** Who is to sit in a seat of a new table. */
export interface SeatPlan {
  kind: SeatKind;
  name?: string; // ""
  level?: string; // ""
}

/** The body of POST /api/tables: the game, who is to sit where, and what was agreed on. */
export interface NewTable {
  game: string;
  seats: SeatPlan[];
  options?: Record<string, OptionValue>; // {}
  clock?: Clock | null; // null
  listed?: boolean; // false
}

/** A seat of a table, and who sits in it. */
export interface SeatInfo {
  seat: number;
  kind: "bot" | "free" | "person";
  name?: string; // ""
  level?: string; // ""
  here?: boolean; // false
  invited?: boolean; // false
  words?: Words | null; // null
}

/** A table as anybody may see it. */
export interface TableInfo {
  id: string;
  game: string;
  title: Words;
  seats: SeatInfo[];
  status: TableStatus;
  version: number;
  options: Record<string, OptionValue>;
  chosen?: string[]; // []
  clock?: Clock | null; // null
  listed?: boolean; // false
  made?: number; // 0
  moved?: number; // 0
  yours?: number[]; // []
  asked?: number[]; // []
  outcome?: Outcome | null; // null
  rematch?: string; // ""
  watching?: number; // 0
  company?: boolean; // false
}

/** The secret of a seat. Whoever has a seat's token plays it: keep it, or open /t/ID#TOKEN elsewhere. */
export interface Key {
  seat: number;
  token: string;
}

/** What to send a friend: /t/ID?invite=TOKEN takes that seat, once. */
export interface Invite {
  seat: number;
  invite: string;
}

/** The answer to POST /api/tables. */
export interface TableMade {
  table: TableInfo;
  keys: Key[];
  invites: Invite[];
}

/** The body of POST /api/tables/{id}/seats/{seat}: who sits down, and the invite where the seat needs one. */
export interface TakeSeat {
  invite?: string | null; // null
  name?: string; // ""
}

/** The answer to POST /api/tables/{id}/seats/{seat}. */
export interface SeatTaken {
  table: TableInfo;
  key: Key;
}

/** The answer to GET /api/tables: listed tables that wait for people, and those that can be watched. */
export interface Lobby {
  join: TableInfo[];
  watch: TableInfo[];
}

/** The answer to GET /api/mine: the tables where the asking client sits or sat. */
export interface Mine {
  running: TableInfo[];
  finished: TableInfo[];
}

/** The scene after the first `version` entries of a log, for stepping through a game. */
export interface SceneAt {
  version: number;
  scene?: Scene | null; // null
  change?: SceneChange | null; // null
}

/** The person whom a client's cookie names: a guest until they have a username. */
export interface Me {
  name: string;
  username?: string; // ""
  words?: Words | null; // null
}

/** The body of PUT /api/me: what the client wants to be called. */
export interface Rename {
  name: string;
}

/** The body of POST /api/session, to sign in. */
export interface Login {
  username: string;
  password: string;
}

/** The body of POST /api/account, which makes an account of this guest. */
export interface SignUp {
  username: string;
  password: string;
  code?: string; // ""
}

/** The body of PUT /api/account/password: the present password and the one to replace it. */
export interface NewPassword {
  old: string;
  new: string;
}

export type LeftOut = "" | "helped" | "short" | "unknown";

/** A person's strength in one game with one number of seats, in Elo above the weakest level there. */
export interface StrengthInfo {
  game: string;
  seats: number;
  games: number;
  elo: number;
  low: number;
  high: number;
  fits: string;
  words: Words;
  next?: string; // ""
}

/** What was believed of a person after one game. */
export interface StrengthPoint {
  table: string;
  at: number;
  seats: number;
  elo: number;
  low: number;
  high: number;
}

/** How often a person has won and lost against a level; the level is empty where the bots differed. */
export interface LevelTally {
  level: string;
  seats: number;
  won: number;
  drawn: number;
  lost: number;
}

/** The answer to GET /api/strength/{game}: a person's strength in a game, and how it came about. */
export interface Progress {
  strengths: StrengthInfo[];
  points: StrengthPoint[];
  tallies: LevelTally[];
}

/** A table at which the asking client sat. */
export interface PlayedTable {
  table: TableInfo;
  left_out?: LeftOut; // ""
}

/** The answer to GET /api/mine/{game}: a page of the client's tables of one game, newest first. */
export interface MineOf {
  tables: PlayedTable[];
  more?: number; // 0
}

/** What every refused request answers: a stable code, a sentence in English, and its words for other languages. */
export interface Problem {
  code: string;
  sentence: string;
  words?: Words | null; // null
}

export type Offer = "draw" | "hints" | "rematch" | "takeback";

export type Phrase = "again" | "bye" | "close" | "hello" | "luck" | "moment" | "oops" | "thanks" | "well" | "wow";

/** The first message: which seats this client holds beyond its cookie's, and which events it already has. */
export interface Hello {
  type: "hello";
  tokens?: string[]; // []
  version?: number; // 0
  watch?: boolean; // false
}

/** A move in notation. `version` is what the client has seen; when that is too old, nothing happens. */
export interface Make {
  type: "move";
  text: string;
  version: number;
  seat?: number | null; // null
  id?: number | null; // null
}

/** Something to say to all at the table. */
export interface Chat {
  type: "chat";
  text: string;
  seat?: number | null; // null
  id?: number | null; // null
}

/** One of the phrases, said to all at the table: everybody reads it in their own language. */
export interface SayPhrase {
  type: "phrase";
  phrase: Phrase;
  seat?: number | null; // null
  id?: number | null; // null
}

/** Ask the others for a takeback, a draw, a rematch, or that hints be allowed. Bots consent to all but a draw. */
export interface Propose {
  type: "offer";
  what: Offer;
  seat?: number | null; // null
  id?: number | null; // null
}

/** Say yes or no to an offer. */
export interface Answer {
  type: "answer";
  what: Offer;
  yes: boolean;
  seat?: number | null; // null
  id?: number | null; // null
}

/** Give up. With more than two seats a bot plays on for the others' sake. */
export interface Resign {
  type: "resign";
  seat?: number | null; // null
  id?: number | null; // null
}

/** Ask what a bot would do here. */
export interface AskHint {
  type: "hint";
  seat?: number | null; // null
  id?: number | null; // null
}

/** Ask why no move points at these spots. The answer is a `Refused`; nothing is ever played. */
export interface Why {
  type: "why";
  spots: string[];
  seat?: number | null; // null
  id?: number | null; // null
}

/** Show the table from another of this client's seats: for several people at one screen. */
export interface SwitchSeat {
  type: "look";
  seat: number;
}

/** Ask for a `Pong`, to see whether the server is there. */
export interface Ping {
  type: "ping";
  id?: number | null; // null
}

export type ClientMessage = Hello | Make | Chat | SayPhrase | Propose | Answer | Resign | AskHint | Why | SwitchSeat | Ping;

export type EventKind = "agree" | "chat" | "decline" | "end" | "handover" | "move" | "offer" | "phrase" | "rematch" | "sit" | "start" | "takeback";

/** Entry `n` of the table's log, as this client may see it. */
export interface Event {
  n: number;
  kind: EventKind;
  at: number;
  seat?: number | null; // null
  text?: string; // ""
  path?: string[]; // []
  words?: Words | null; // null
  short?: string | Words | null; // null
  motion?: boolean; // false
}

/** A legal move: point at `spots` in order to enter it. */
export interface Choice {
  text: string;
  spots: string[];
  warning?: Words | null; // null
  via?: string[]; // []
}

/** How long each seat has left, in milliseconds, at the moment of the message. */
export interface Times {
  left: number[];
  running?: number[]; // []
}

/** An offer that waits for answers. */
export interface Standing {
  what: Offer;
  seat: number;
  waits: number[];
}

/** The answer to `Hello`; an update follows. */
export interface Welcome {
  type: "welcome";
  table: TableInfo;
  yours: number[];
}

/** The table now, and what happened since the last update (or since the version of the hello). */
export interface Update {
  type: "update";
  version: number;
  events: Event[];
  status: TableStatus;
  scene?: Scene | null; // null
  change?: SceneChange | null; // null
  seat?: number | null; // null
  asked?: number[]; // []
  moves?: Choice[]; // []
  filling?: Filling | null; // null
  aiming?: Aiming | null; // null
  times?: Times | null; // null
  offers?: Standing[]; // []
  hints?: boolean; // false
  outcome?: Outcome | null; // null
  ack?: number | null; // null
}

/** Who sits where, after somebody sat down, came or went. */
export interface Seats {
  type: "seats";
  seats: SeatInfo[];
  watching?: number; // 0
  company?: boolean; // false
}

/** The answer to `AskHint`: what a bot would do at `version`. */
export interface Hint {
  type: "hint";
  version: number;
  seat: number;
  move: Choice;
  id?: number | null; // null
  short?: string | Words | null; // null
}

/** Nothing happened, and why; code, sentence and words are those of a `Problem`. */
export interface Refused {
  type: "refused";
  code: string;
  sentence: string;
  id?: number | null; // null
  words?: Words | null; // null
}

/** The server cannot reach its database, or reaches it again. Meanwhile nothing is acknowledged; nothing is lost. */
export interface Database {
  type: "database";
  there: boolean;
}

/** The answer to `Ping`: the server is there. */
export interface Pong {
  type: "pong";
  id?: number | null; // null
}

export type ServerMessage = Welcome | Update | Seats | Hint | Refused | Database | Pong;

export type MomentKind = "move" | "said" | "start";

export type Mover = "any" | "me" | "other";

export type LessonVerdict = "done" | "look" | "on" | "wrong";

/** A step of a game's lessons. */
export interface LessonInfo {
  id: string;
  words: Words;
  rules?: string[]; // []
  points?: boolean; // false
}

/** The body of POST /api/games/{name}/lessons/{step}: what the learner has done so far, and does now. */
export interface LessonTry {
  moves?: string[]; // []
  move?: string; // ""
  spots?: string[]; // []
  show?: boolean; // false
}

/** What was to be seen after a move of the learner, or after an answer to it. */
export interface LessonFrame {
  seat: number;
  scene?: Scene | null; // null
  path?: string[]; // []
  words?: Words | null; // null
}

/** The answer to a try: what is to be seen now, and whether it was right. */
export interface LessonState {
  verdict: LessonVerdict;
  scene: Scene;
  seat: number;
  moves?: Choice[]; // []
  filling?: Filling | null; // null
  hinted?: string[]; // []
  did?: string; // ""
  frames?: LessonFrame[]; // []
  way?: string[]; // []
  said?: Words | null; // null
  refused?: boolean; // false
}

/** What a tutor says in a first game, once, when its moment comes. */
export interface TutorInfo {
  id: string;
  kind: MomentKind;
  words: Words;
  like?: string; // ""
  by?: Mover; // "any"
  key?: string; // ""
  rules?: string[]; // []
}

/** The body of POST /api/games/{name}/board: where the game stands, and the moves that are tried from there. */
export interface BoardTry {
  seats?: number | null; // null
  options?: Record<string, OptionValue>; // {}
  position?: string; // ""
  moves?: string[]; // []
  seat?: number | null; // null
  spots?: string[]; // []
}

/** The last of the moves that were tried. */
export interface TriedMove {
  seat: number;
  text: string;
  path?: string[]; // []
  words?: Words | null; // null
  short?: string | Words | null; // null
}

/** The answer to `BoardTry`: what is to be seen after the moves, and what can follow. */
export interface BoardState {
  position: string;
  scene: Scene;
  seat: number;
  asked?: number[]; // []
  moves?: Choice[]; // []
  filling?: Filling | null; // null
  nature?: string; // ""
  last?: TriedMove | null; // null
  outcome?: Outcome | null; // null
  why?: Words | null; // null
}

export type SpanKind = "code" | "em" | "option" | "rule" | "strong" | "text";

export type GroupKind = "rules" | "rulings";

/** A stretch of a rule's text. */
export type Span = [kind: SpanKind, text: string];

/** A numbered rule or ruling in one language. */
export interface Rule {
  number: string;
  text: Span[];
  question?: Span[]; // []
}

/** The rules under one heading. */
export interface RuleGroup {
  title: string;
  kind: GroupKind;
  rules: Rule[];
}

/** The rules of a game in one language, in reading order. */
export interface RulePage {
  language: string;
  intro: Span[][];
  groups: RuleGroup[];
}

/** The answer to GET /api/games/{name}/rulebook. */
export interface RulebookInfo {
  language: string;
  intro: Span[][];
  groups: RuleGroup[];
  options?: OptionInfo[]; // []
  says?: Record<string, string>; // {}
  boards?: string[]; // []
}

/** A board on which rules can be seen. POST /api/games/{name}/board with its fields plays on from there. */
export interface RuleScene {
  numbers: string[];
  scene: Scene;
  seat: number;
  hinted?: string[]; // []
  seats?: number | null; // null
  options?: Record<string, OptionValue>; // {}
  position?: string; // ""
  moves?: string[]; // []
}

export type AnalysisStatus = "done" | "failed" | "none" | "paused" | "running" | "waiting";

export type MoveMark = "" | "blunder" | "dubious" | "mistake";

/** The best move that the search found. */
export interface BetterMove {
  text: string;
  spots: string[];
  words: Words;
  score: number;
  path?: string[]; // []
  proven?: string; // ""
  line?: string[]; // []
}

/** What a move of a finished game was worth. */
export interface JudgedEvent {
  n: number;
  seat: number;
  score: number | null;
  best_score: number;
  cost?: number; // 0.0
  mark?: MoveMark; // ""
  best?: BetterMove | null; // null
  forced?: boolean; // false
}

/** The answer to POST and GET /api/tables/{id}/analysis. */
export interface TableAnalysis {
  status: AnalysisStatus;
  total?: number; // 0
  done?: number; // 0
  moves?: JudgedEvent[]; // []
}

/** The answer to POST /api/games/{name}/evaluation: the best move of the seat that is to act. */
export interface Evaluation {
  seat: number;
  best: BetterMove;
}

/** Who can reach the server, as far as the visitor may know. */
export interface NetworkInfo {
  only_here?: boolean; // false
  yours?: boolean; // false
  possible?: boolean; // false
  opened?: boolean; // false
  address?: string; // ""
}

/** The body of POST /api/network: whether to let the home network in, or to send it away. */
export interface OpenNetwork {
  open: boolean;
}

/** The answer to GET /api/house: what whoever runs the server has decided. */
export interface HouseInfo {
  chat?: "free" | "off" | "phrases"; // "free"
  phrases?: Phrase[]; // []
  sign_up?: "closed" | "code" | "open"; // "open"
  names?: "checked" | "free" | "list"; // "free"
  name_list?: string[]; // []
}

/** A piece that somebody has put on a place; of a stack the lower ones come first. */
export interface PlacedPiece {
  spot: string;
  kind: Kind;
  tint: string;
}

/** The body of POST /api/games/{name}/arrangement: which pieces stand where, and who is to act. */
export interface Arrangement {
  pieces: PlacedPiece[];
  turn: number;
  seats?: number | null; // null
  options?: Record<string, OptionValue>; // {}
}

/** The answer: the position as a line, as `BoardTry` takes it. */
export interface Arranged {
  position: string;
}

/** The body of POST /api/records: a record as text or JSON, or a tree of variations as JSON (docs/record.md). */
export interface OpenRecord {
  text: string;
}

/** A move of a tree of variations. */
export interface TreeMove {
  text: string;
  parent?: number; // -1
  comment?: string; // ""
  short?: string | Words | null; // null
}

/** What was opened: a game and a tree of moves, all of them legal. A record is a tree without branches. */
export interface OpenedRecord {
  game: string;
  seats: number;
  options: Record<string, OptionValue>;
  moves: TreeMove[];
  position?: string; // ""
  names?: Record<string, string>; // {}
}

/** A seat of a table and who sits in it. */
export interface AdminSeat {
  seat: number;
  kind: string;
  name?: string; // ""
  words?: Words | null; // null
  role?: Words | null; // null
  person?: string; // ""
  here?: boolean; // false
  thinking?: boolean; // false
}

/** A table, in memory or only stored. */
export interface AdminTable {
  id: string;
  game: string;
  title: Words;
  status: TableStatus;
  seats: AdminSeat[];
  made: number;
  moved: number;
  moves: number;
  listed?: boolean; // false
  live?: boolean; // false
  watching?: number; // 0
  damaged?: boolean; // false
  ending?: Words | null; // null
}

/** A person: a guest or, with a username, an account. */
export interface AdminPerson {
  id: string;
  name: string;
  made: number;
  username?: string; // ""
  banned?: number; // 0
  used?: number; // 0
  sessions?: number; // 0
  games?: number; // 0
  tables?: string[]; // []
}

/** A session of a person: one browser that is signed in. */
export interface AdminSession {
  id: string;
  made: number;
  used: number;
  expires: number;
}

/** A class that a person teaches, or belongs to under a name. */
export interface AdminClass {
  name: string;
  called: string;
  since: number;
}

/** The answer to GET /api/admin/people/{id}. */
export interface AdminPersonInfo {
  person: AdminPerson;
  sessions: AdminSession[];
  tables: AdminTable[];
  classes?: AdminClass[]; // []
}

/** How much there is. */
export interface AdminCounts {
  sockets: number;
  strangers: number;
  in_memory: number;
  thinking: number;
  waiting: number;
  playing: number;
  over: number;
  accounts: number;
  guests: number;
  banned: number;
}

/** The answer to GET /api/admin/now: what is going on at this server. */
export interface AdminNow {
  version: string;
  at: number;
  since: number;
  counts: AdminCounts;
  tables: AdminTable[];
  people: AdminPerson[];
}

/** A game of a person, in an export. */
export interface AdminGame {
  table: string;
  game: string;
  seat: number;
  name: string;
  made: number;
  status: TableStatus;
  ending?: string; // ""
}

/** How a person's game against bots ended, in an export. */
export interface AdminResult {
  table: string;
  game: string;
  seats: number;
  against: string[];
  share: number;
  left_out: string;
  at: number;
}

/** A line that a person said at a table, in an export. */
export interface AdminLine {
  table: string;
  at: number;
  text: string;
}

/** All that is stored of a person, but for what would let others in: no password, no cookie, no digest of either. */
export interface AdminExport {
  id: string;
  name: string;
  username: string;
  made: number;
  banned: number;
  written: number;
  sessions: AdminSession[];
  games: AdminGame[];
  results: AdminResult[];
  chat: AdminLine[];
  classes: AdminClass[];
}

/** The body of POST /api/admin/tables/{id}/end: without a result, as a draw, or won by a seat. */
export interface EndGame {
  winner?: number | null; // null
  draw?: boolean; // false
}

/** The body of PUT /api/admin/people/{id}/name. */
export interface NewName {
  name: string;
}

/** The answer to POST /api/admin/people/{id}/password: tell it to the person, nobody is shown it again. */
export interface GivenPassword {
  password: string;
}

/** The answer to what an administrator has done. */
export interface Done {
  count?: number; // 1
}

export type PairingMethod = "round-robin" | "swiss";

export type BoardScore = "bye" | "draw" | "first" | "pause" | "second";

/** The body of POST /api/classes, and of PUT /api/classes/{id} to change the name. */
export interface NewClass {
  name: string;
}

/** A class in a list. */
export interface ClassCard {
  id: string;
  name: string;
  members?: number; // 0
  teacher?: string; // ""
}

/** The answer to GET /api/classes: the classes that the asking client teaches, and those it belongs to. */
export interface ClassLists {
  teaching: ClassCard[];
  member: ClassCard[];
}

/** A member of a class as the teacher sees them, with how they stand in the present tournament. */
export interface MemberInfo {
  id: string;
  name: string;
  here?: boolean; // false
  account?: boolean; // false
  gone?: boolean; // false
  table?: string; // ""
  rank?: number; // 0
  points?: number; // 0.0
  buchholz?: number; // 0.0
  played?: number; // 0
  won?: number; // 0
  drawn?: number; // 0
  lost?: number; // 0
  byes?: number; // 0
}

/** A pairing of a round, and its table. */
export interface BoardInfo {
  round: number;
  board: number;
  first: string;
  second?: string; // ""
  level?: string; // ""
  table?: string; // ""
  status?: TableStatus; // "waiting"
  asked?: number[]; // []
  here?: number[]; // []
  moves?: number; // 0
  moved?: number; // 0
  score?: BoardScore | null; // null
  by_hand?: boolean; // false
}

/** A round of the present tournament in the list of rounds. */
export interface RoundCard {
  n: number;
  game: string;
  title: Words;
  method: PairingMethod;
  made: number;
  running?: number; // 0
}

/** The answer to GET /api/classes/{id}: everything that the teacher sees at once. */
export interface ClassInfo {
  id: string;
  name: string;
  code: string;
  now: number;
  tournament: number;
  members: MemberInfo[];
  rounds: RoundCard[];
  boards: BoardInfo[];
}

/** The body of PUT /api/classes/{id}/members/{member}: another name. */
export interface ChangeMember {
  name: string;
}

/** The body of POST /api/classes/{id}/members/{member}/merge: the member from before who is the same pupil. */
export interface MergeMembers {
  into: string;
}

/** The answer to POST /api/classes/{id}/members/{member}/way-back: a code by which a guest comes back, once. */
export interface WayBack {
  code: string;
  until: number;
}

/** The body of POST /api/classes/{id}/rounds: whom to pair, how, and for which game. */
export interface NewRound {
  game: string;
  method: PairingMethod;
  members: string[];
  after: number;
  bot?: string; // ""
  clock?: Clock | null; // null
  anyway?: boolean; // false
}

/** The body of PUT /api/classes/{id}/rounds/{round}/boards/{board}: the result; a running game ends with it. */
export interface BoardResult {
  score: "draw" | "first" | "second";
}

/** The answer to GET /api/join/{code}: where a code leads. */
export interface JoinInfo {
  id: string;
  name: string;
  teacher: string;
  member?: string; // ""
  back?: boolean; // false
}

/** The body of POST /api/join: the code of a class and the name to be called there, or a code to come back by. */
export interface JoinClass {
  code: string;
  name?: string; // ""
}

/** The answer to POST /api/join. */
export interface Joined {
  id: string;
  name: string;
}

/** A pairing as the member who was paired sees it. */
export interface OwnBoard {
  round: number;
  title: Words;
  against?: string; // ""
  level?: string; // ""
  table?: string; // ""
  points?: number | null; // null
}

/** The answer to GET /api/classes/{id}/me: what a member sees of the class. */
export interface MemberView {
  id: string;
  name: string;
  teacher: string;
  you: string;
  boards: OwnBoard[];
  table?: string; // ""
}
