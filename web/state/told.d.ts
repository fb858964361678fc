// What the program and the page tell each other, as JSON. (Draft, until the program's own.)

export type Colour = 'red' | 'blue';
export type Shape = { bins: number; capacity: number; line: number };
export type Cell = { bin: number; row: number };
export type End = 'line' | 'full board' | 'resignation' | 'agreement' | 'timeout' | 'abort';
export type Score = { red: number; blue: number; draws: number };
export type Who = { address: string; name: string | null };
export type ClockSpec = { bank: number; increment: number };

export type View = {
  game: number | null;
  shape: Shape;
  players: Players | null;
  board: Array<Array<Colour>>;
  refusals: Array<string | null>;
  to_move: Colour | null;
  turns: number;
  over: boolean;
  standing: string;
  end: End | null;
  winner: Colour | null;
  winning: Array<Cell>;
  moves: Array<Move>;
  moves_missing: string | null;
  notation: string;
  score: Score;
  previous: number | null;
  next: number | null;
  rematch: Colour | null;
  draw_offer: Colour | null;
  clock: ClockView | null;
  stake: string | null;
  owed: Owed;
  freed: boolean;
};
export type Players = { red: Seated; blue: Seated };
export type Seated = {
  address: string;
  name: string | null;
  computer: string | null;
  error: string | null;
};
export type Move = {
  player: Colour;
  bin: number;
  row: number;
  block: number | null;
  transaction: string | null;
  fee: string | null;
};
export type Owed = { red: string | null; blue: string | null };
export type TimeLeft = { red: number; blue: number };
export type ClockView = { deadline: number; left: TimeLeft; now: number };

export type Account = {
  address: string;
  name: string | null;
  account: string;
  balance: string | null;
  key: string;
};
export type ChainInfo = {
  name: string | null;
  place: string;
  contract: string | null;
  symbol: string | null;
};
export type Shapes = { standard: Shape; least: Shape; most: Shape };
export type Hello = {
  token: string;
  version: string;
  host: boolean;
  unknown_keys: Array<string>;
  chain: ChainInfo;
  accounts: Array<Account>;
  levels: Array<string>;
  shape: Shapes;
};

export type Challenge = {
  challenge: number;
  challenger: Who;
  opponent: Who | null;
  challenger_first: boolean;
  shape: Shape;
  clock: ClockSpec | null;
  stake: string | null;
};
export type Summary = {
  game: number;
  freed?: boolean;
  shape?: Shape;
  red?: Who;
  blue?: Who;
  turns?: number;
  over?: boolean;
  standing: string;
  winner?: Colour | null;
  to_move?: Colour | null;
};
export type Lists = { count: number; games: Array<Summary>; challenges: Array<Challenge> };

export type Live =
  | ({ type: 'game' } & View)
  | { type: 'missing'; error: string }
  | ({ type: 'games' } & Lists)
  | { type: 'chain'; up: boolean; block?: number; why?: string };

export type Reviewed = {
  turn: number;
  player: Colour;
  bin: number;
  made: string;
  mark: string;
  best: string;
  best_bins: Array<number>;
};
export type ReviewMessage = Reviewed | { done: boolean } | { error: string };

export type Refused = { error: string; kind: string };

export type NewGame = {
  shape: Shape;
  red: string;
  blue: string;
  computer: { seat: Colour; level: string } | null;
};
export type NewChallenge = {
  account: string;
  opponent: string | null;
  first: 'me' | 'them' | 'random';
  shape: Shape;
  clock: ClockSpec | null;
  stake: string | null;
};
export type Answering = {
  act: 'accept' | 'decline' | 'cancel';
  account: string;
  stake: string | null;
};
