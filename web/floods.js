// Sockets on which came what no message can be. It is in the page's memory before its length is known if it is text, and
// may be hundreds of megabytes. So a server that sends it again and again is not connected any more.

/** Connections to a server that may end that way. */
const MOST = 3;

/** How many have, by the server's origin. @type {Map<string, number>} */
const floods = new Map();

/** Whether a server is not connected any more. @param {string} origin */
export const isGivenUp = (origin) => (floods.get(origin) ?? 0) >= MOST;

/** A connection has ended that way. @param {string} origin */
export const flooded = (origin) => floods.set(origin, (floods.get(origin) ?? 0) + 1);

/** Lets a server that was given up be connected again, as the player wants it; whether it was. @param {string} origin */
export const askAgain = (origin) => isGivenUp(origin) && floods.delete(origin);
