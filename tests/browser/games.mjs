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

/** Starts a game, makes its moves (bins from 1), and has somebody resign. @returns its number */
export const playOne = async (post, { red, blue, moves, resigns, shape = STANDARD }) => {
  const { game } = await post('/api/games', { shape, red, blue });
  for (const bin of moves) await post(`/api/games/${game}/drop`, { bin: Number(bin) - 1 });
  if (resigns) await post(`/api/games/${game}/act`, { act: 'resign', seat: resigns });
  return game;
};

/** Opens a match for a stake between two, and accepts it. @returns its game's number */
export const playMatch = async (post, { red, blue, stake, moves, resigns }) => {
  const clock = { bank: 259_200, increment: 3_600 };
  const terms = { first: 'me', shape: STANDARD, clock, stake };
  const { challenge } = await post('/api/challenges', { account: red, opponent: blue, ...terms });
  const paid = String(BigInt(stake) * 10n ** 10n);
  const accepted = { act: 'accept', account: blue, stake: paid };
  const { game } = await post(`/api/challenges/${challenge}`, accepted);
  for (const bin of moves) await post(`/api/games/${game}/drop`, { bin: Number(bin) - 1 });
  if (resigns) await post(`/api/games/${game}/act`, { act: 'resign', seat: resigns });
  return game;
};
