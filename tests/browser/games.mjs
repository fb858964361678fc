// Many games between the development accounts, by the page's own requests, for the index to show.

const STANDARD = { bins: 7, capacity: 6, line: 4 };

/** Requests of a page with the host's key. */
export const requests = async ({ url, key }) => {
  const headers = { 'x-connect4-keys': key };
  const { token } = await (await fetch(`${url}/api/hello`, { headers })).json();
  return async (path, body) => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'x-connect4-token': token },
      body: JSON.stringify(body),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${said.error}`);
    return said;
  };
};

/** Terms of a game without rules of its own. */
export const plain = (shape) => ({
  shape,
  players: 2,
  pop_out: false,
  pie_rule: false,
  powers: { take: 0, clear: 0, float: 0 },
  limit: null,
});

/** What is asked for to drop a disc into a bin, from 0. */
export const move = (bin, seen = {}) => ({ move: { kind: 'drop', bin }, ...seen });

/** Makes the moves of a game (bins from 1), and has somebody resign. */
const playOn = async (post, game, { moves, resigns, ...accounts }) => {
  for (const bin of moves) await post(`/api/games/${game}/move`, move(Number(bin) - 1));
  if (resigns) await post(`/api/games/${game}/act`, { act: 'resign', account: accounts[resigns] });
};

/** Starts a game, and plays it. @returns its number */
export const playOne = async (post, { shape = STANDARD, ...played }) => {
  const seats = [played.red, played.blue].map((account) => ({ account, level: null }));
  const { game } = await post('/api/games', { kind: 'classic', terms: plain(shape), seats });
  await playOn(post, game, played);
  return game;
};

/** Opens a match for a stake between two, and accepts it. @returns its game's number */
export const playMatch = async (post, { stake, ...played }) => {
  const { red, blue } = played;
  const clock = { bank: 259_200, increment: 3_600 };
  const terms = { first: 'me', shape: STANDARD, clock, stake };
  const { challenge } = await post('/api/challenges', { account: red, opponent: blue, ...terms });
  const paid = String(BigInt(stake) * 10n ** 10n);
  const accepted = { act: 'accept', account: blue, stake: paid };
  const { game } = await post(`/api/challenges/${challenge}`, accepted);
  await playOn(post, game, played);
  return game;
};
