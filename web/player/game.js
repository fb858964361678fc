// A signed game that is played in this browser: the module that plays it, its record on disk, and the room of its
// witness. Who signs what, and when, is the module's to decide.
//
// Steps follow each other. Of each one the record is on disk before anything of it leaves the page, and a disk that
// refuses is the module's to know, too. One tab plays a game: where browsers have no locks, the tab that writes first
// does, and the other one finds out when it writes.

import { JournalError } from '../host/database.js';
import { ElsewhereError, hold } from '../host/lock.js';
import { openRoom, socketsOf } from '../host/room.js';
import { inOrder } from '../host/steps.js';
import { AskError } from '../host/wasm.js';
import { reason } from '../state/text.js';
import { texts } from '../words/player.js';
import { openModule } from './module.js';
import { ChangedError, OtherGamesError } from './records.js';

/**
 * @import {
 *   BlockSeen, OpenedGame, PageDisk, PlayerCall, PlayerCommand, PlayerInput, PlayerOutput, PlayerReads, PlayerShown,
 *   PlayerStepped, SignedPlace,
 * } from '../ask.d.ts'
 */
/** @import { Ask } from './module.js' */
/** @import { Kept, Records } from './records.js' */

/** How often it is looked whether the page is held up, in milliseconds. */
const PULSE = 50;
/** Milliseconds of a clock that runs evenly, whatever that of the machine is set to. */
const evenly = () => Math.round(performance.now());
const TICK = 1_000; // milliseconds between looks at the time
/** After how many of them the opponent of a game with a stake is told again what its page may have missed. */
const TELL_AGAIN = 10;
/** Bytes of a frame of a witness, at most. */
export const LONGEST = 560;

/**
 * How a game stands here. `shown` is null until the module has said it. `role` is `elsewhere` while another tab plays.
 * `relay` is why there is no connection to the room, null if there is one. `opponent` is whether the opponent is
 * there, null if it is not known. `ahead` is by how many milliseconds the witness's clock is ahead of this machine's; `taken`
 * by how many it has taken more off the player's clock for the newest move than the player has used, null if it has not.
 * @typedef {{
 *   name: string | null,
 *   offer: string | null,
 *   place: SignedPlace | null,
 *   shown: PlayerShown | null,
 *   reads: PlayerReads | null,
 *   role: 'waiting' | 'player' | 'elsewhere',
 *   relay: string | null,
 *   opponent: boolean | null,
 *   watchers: number,
 *   ahead: number,
 *   taken: number | null,
 *   trouble: string,
 * }} Standing
 */

/**
 * What a game uses. `changed` is told how it stands. `send` brings a message to the opponent, who hands it to
 * `receive`; what does not arrive is sent again after `connected`. `transact` has the player's account call the contract
 * of the stakes; `isAsked` is whether the person wants it now. `relay` is the relay to use in place of the one that the offer names; it is kept. `time` is that of
 * this machine, in milliseconds since 1970.
 * @typedef {{
 *   records: Records,
 *   changed?: (standing: Standing) => void,
 *   send?: (message: string) => void,
 *   transact?: (call: PlayerCall, isAsked: boolean) => Promise<void>,
 *   relay?: string | null,
 *   locks?: Pick<LockManager, 'request'> | undefined,
 *   socket?: (url: string) => WebSocket,
 *   time?: () => number,
 * }} Around
 */

/** @typedef {ReturnType<typeof openGame>} Game */

/**
 * Makes an offer, or takes one. It is kept when this returns.
 * @param {{ place: SignedPlace, by: string, game: Exclude<OpenedGame, { record: string }> } & Around} options `by`
 * is the address of a key of this browser
 * @returns {Promise<Game>}
 * @throws {ElsewhereError} if another tab plays this game
 * @throws {AskError} if the offer can't be made or taken
 */
export async function beginGame({ place, by, game, ...around }) {
	const begun = openGame(around);
	try {
		await begun.begin(place, by, game);
	} catch (error) {
		await begun.close();
		throw error;
	}
	return begun;
}

/**
 * Resumes a game of this browser, once no other tab plays it.
 * @param {{ name: string } & Around} options
 * @returns {Game}
 */
export function resumeGame({ name, ...around }) {
	const resumed = openGame(around);
	resumed.wait(name);
	return resumed;
}

/** @param {Around} around */
function openGame({
	records,
	changed = () => {},
	send = () => {},
	transact = async () => {},
	relay = null,
	locks = globalThis.navigator?.locks,
	socket,
	time = Date.now,
}) {
	/** @type {ReturnType<typeof watchStalls> | null} */
	let stalls = null;
	/** When something was said in the room last, by `evenly`; null if nothing was. @type {number | null} */
	let said = null;
	/** @type {Standing} */
	let standing = {
		name: null,
		offer: null,
		place: null,
		shown: null,
		reads: null,
		role: 'waiting',
		relay: texts.relayConnecting,
		opponent: null,
		watchers: 0,
		ahead: 0,
		taken: null,
		trouble: '',
	};
	/** @type {Ask | null} */
	let ask = null;
	/** What does not change of what is kept. @type {Omit<Kept, 'name' | 'record'> | null} */
	let kept = null;
	/** The records that the disk may have. @type {(string | null)[]} */
	let before = [null];
	/** Why the disk has taken nothing the last time. */
	let disk = '';
	/** @type {ReturnType<typeof openRoom> | null} */
	let room = null;
	/** @type {ReturnType<typeof setInterval> | undefined} */
	let timer;
	/** @type {() => void} */
	let leave = () => {};
	let told = '';
	let isClosed = false;
	const inTurn = inOrder();
	const seconds = () => Math.floor(time() / 1000);

	/** @param {Partial<Standing>} change */
	function show(change) {
		standing = { ...standing, ...change };
		const now = JSON.stringify(standing);
		if (now === told || isClosed) return;
		told = now;
		changed(standing);
	}

	/**
	 * Keeps the record of a step, tells the module whether that was possible, and returns its answer.
	 * @param {PlayerStepped} stepped @returns {Promise<PlayerStepped>}
	 */
	async function written({ name, keep }) {
		if (!keep || !kept) throw new Error(name);
		const { record, games } = keep;
		/** @type {PageDisk} */
		let has;
		try {
			await records.write({ ...kept, name, record }, before, games);
			before = [record];
			disk = '';
			return asked()({ kept: null });
		} catch (error) {
			if (error instanceof ChangedError) throw new ElsewhereError(texts.otherTab);
			if (error instanceof OtherGamesError) has = { other: error.games };
			else {
				if (!(error instanceof JournalError)) throw error;
				disk = error.message;
				const found = await records.read(name).catch(() => undefined);
				if (found === undefined) {
					has = 'unknown';
					before = [...before, record];
				} else {
					has = found ? { has: found.record } : 'empty';
					before = [found?.record ?? null];
				}
			}
		}
		return asked()({ failed: has });
	}

	/** @returns {Ask} */
	function asked() {
		if (!ask || isClosed) throw new Error(standing.trouble || texts.notHere);
		return ask;
	}

	/** What a step has brought, once it is kept. @param {PlayerStepped} stepped @param {boolean} [isAsked] whether the person wants it */
	async function done(stepped, isAsked = false) {
		let last = stepped;
		const was = standing.shown;
		while (last.keep) {
			const writing = written(last);
			// What others have signed is seen while it is kept: nothing goes out by that.
			if (last.shown) show({ shown: last.shown });
			last = await writing;
		}
		const { outputs, shown, reads, room: meets, present, time: witness, taken, offer, name } = last;
		for (const output of outputs) perform(output, isAsked);
		/** @param {PlayerShown | null} of */
		const progress = (of) => JSON.stringify([of?.stage, of?.game?.position.turns]);
		const isNews = progress(shown) !== progress(was);
		const player = shown?.side ?? null;
		const other = player === 'red' ? 'blue' : 'red';
		show({
			name,
			offer,
			shown,
			reads,
			...(isNews && { trouble: '' }),
			...(present && {
				opponent: player && present.players[other],
				watchers: present.watchers,
			}),
			...(witness && { ahead: witness - time() }),
			...(shown && { taken }),
		});
		if (meets) enterRoom(meets);
		// It closes the socket, and is asked again by the player.
		if (shown?.refusal?.closes && room) {
			leaveRoom(shown.refusal.text);
			await done(asked()({ step: 'closed' }));
		}
		return last;
	}

	/**
	 * Tells the player something; returns why it did not take that, or null.
	 * @param {PlayerInput} input @returns {Promise<Error | null>}
	 */
	const step = (input) =>
		inTurn(async () => {
			try {
				const isAsked = typeof input === 'object' && 'command' in input;
				const { refused } = await done(asked()({ step: input }), isAsked);
				if (!refused) return null;
				return refused.name === 'NotKept' && disk ? new Error(disk) : new AskError(refused);
			} catch (error) {
				const hasTrapped = error instanceof AskError && error.name === 'Trapped';
				if (hasTrapped || error instanceof ElsewhereError) stop(hasTrapped);
				throw error;
			}
		});

	/** What the module knows is not what the disk has: it has trapped, or another tab plays. @param {boolean} hasTrapped */
	function stop(hasTrapped) {
		ask = null;
		clearInterval(timer);
		leaveRoom(texts.relayNone);
		show({ role: hasTrapped ? 'waiting' : 'elsewhere' });
		if (hasTrapped && standing.name) resume(standing.name);
	}

	/** Takes what is heard or seen; returns whether the player did. @param {PlayerInput} input @returns {Promise<boolean>} */
	const perceive = (input) =>
		step(input).then(
			(refused) => {
				if (refused) show({ trouble: refused.message });
				return !refused;
			},
			(error) => {
				if (!isClosed) show({ trouble: reason(error) });
				return false;
			},
		);

	/** What the person wants. @param {PlayerCommand} command */
	async function act(command) {
		const refused = await step({ command });
		if (refused) throw refused;
		show({ trouble: '' });
	}

	/** @param {PlayerOutput} output @param {boolean} isAsked */
	function perform(output, isAsked) {
		if (output === 'leave') leaveRoom(texts.relayNone);
		else if ('send' in output) send(output.send);
		else if ('say' in output) say(output.say);
		else if ('enter' in output) enterRoom(output.enter);
		else transact(output.call, isAsked).catch((error) => show({ trouble: reason(error) }));
	}

	/** @param {string} frame */
	function say(frame) {
		said = evenly();
		room?.send(frame);
	}

	/** @param {string} path */
	function enterRoom(path) {
		const { offer } = standing;
		if (room || isClosed) return;
		const at = relay ?? (offer && asked()({ read_offer: offer }).relay);
		if (!at) return show({ relay: texts.relayNone });
		stalls = watchStalls();
		room = openRoom(socketsOf(at) + path, {
			socket,
			longest: LONGEST,
			frame: (frame) =>
				perceive({ room: { frame, at: evenly(), said, held_up: stalls?.longest() ?? 0 } }),
			changed: (isThere, why) => {
				show({ relay: isThere ? null : why, ...(isThere ? {} : { opponent: null }) });
				if (!isThere) perceive('closed');
			},
		});
	}

	/** @param {string} why */
	function leaveRoom(why) {
		room?.close();
		stalls?.stop();
		room = stalls = null;
		show({ relay: why, opponent: null });
	}

	/** @param {SignedPlace} place @param {string} by @param {OpenedGame} game */
	async function open(place, by, game) {
		kept = { place, by, relay };
		show({ place });
		const secret = await records.secret(by);
		ask = await openModule();
		return asked()({ open: { place, secret, now: seconds(), game } });
	}

	/** @param {PlayerStepped} opened */
	async function play(opened) {
		show({ name: opened.name, offer: opened.offer });
		await done(opened);
		show({ role: 'player', trouble: '' });
		let ticks = 0;
		timer = setInterval(() => {
			perceive({ time: seconds() });
			ticks += 1;
			const tells = room && standing.shown?.stake !== '0' && ticks % TELL_AGAIN === 0;
			if (tells) perceive('connected');
		}, TICK);
	}

	/** This tab has the game to itself: what another one has signed before is on disk. @param {string} name */
	const resume = (name) =>
		inTurn(async () => {
			if (isClosed) return;
			const found = await records.read(name);
			if (!found) throw new Error(texts.notHere);
			before = [found.record];
			relay ??= found.relay ?? null;
			await play(await open(found.place, found.by, { record: found.record }));
			// Earlier pages kept the last one alone.
			for (const message of [found.told ?? []].flat()) await done(asked()({ step: { message } }));
		}).catch((error) => show({ trouble: reason(error) }));

	/** @param {string} name */
	const lockOf = (name) => `connect4-player/${name}`;

	return {
		/** @param {SignedPlace} place @param {string} by @param {OpenedGame} game */
		begin: (place, by, game) =>
			inTurn(async () => {
				const opened = await open(place, by, game);
				await new Promise((resolve, reject) => {
					if (!locks) return resolve(undefined);
					leave = hold(lockOf(opened.name), {
						held: () => resolve(undefined),
						elsewhere: () => reject(new ElsewhereError(texts.otherTab)),
						locks,
					});
				});
				await play(opened);
			}),

		/** @param {string} name */
		wait(name) {
			show({ name });
			if (!locks) return void resume(name);
			leave = hold(lockOf(name), {
				held: () => resume(name),
				elsewhere: () => show({ role: 'elsewhere', trouble: texts.otherTab }),
				locks,
			});
		},

		/** Takes a message of the opponent; returns whether it is one. @param {string} message */
		async receive(message) {
			const isOne = await perceive({ message });
			const { name, shown } = standing;
			const isTaken = shown?.stake !== '0' && shown?.stage === 'offered' && shown.number;
			if (!name || !isTaken || !isOne) return isOne;
			// The taker pays when this page may be away: one who is not remembered is not to pay.
			try {
				await records.tell(name, message);
				return true;
			} catch (error) {
				show({ trouble: reason(error) });
				return false;
			}
		},
		/** From now on messages come to the opponent, who may have missed those before. */
		connected: () => perceive('connected'),
		/** Takes what a block shows. @param {BlockSeen} block */
		see: (block) => perceive({ block }),
		/** Takes what the contract of the stakes has emitted in a final block. @param {string} event its data */
		hear: (event) => step({ event }),
		/** The first block in which somebody may have paid for the offer: this one, if none is kept. @param {number} block */
		since: async (block) => (standing.name ? records.since(standing.name, block) : block),
		/** Does what the person wants. @param {PlayerCommand} command @throws if it can't be done: nothing was sent */
		act,
		/** The offer of the next game, as text. @param {{ until: number, nonce: number }} how */
		rematch: (how) => inTurn(async () => asked()({ rematch: how })),
		/** Whether the opponent offers a rematch by this. @param {string} offer */
		isRematch: (offer) => inTurn(async () => asked()({ is_rematch: offer })),
		/** Forgets the game, whose offer nobody has taken. */
		async forget() {
			const { name, shown } = standing;
			await this.close();
			if (name && shown?.stage === 'offered') await records.forget(name, before);
		},
		/** How the game stands. */
		get standing() {
			return standing;
		},
		/** Leaves the game; another tab may go on. Resolves when nothing is under way any more. */
		async close() {
			isClosed = true;
			clearInterval(timer);
			room?.close();
			await inTurn(async () => {});
			clearInterval(timer);
			room?.close();
			stalls?.stop();
			ask = null;
			leave();
		},
	};
}

/** Measures for how long the page is held up at a time, by other work or as it is out of sight. */
function watchStalls() {
	let last = evenly();
	let most = 0;
	const look = () => {
		const now = evenly();
		most = Math.max(most, now - last - PULSE);
		last = now;
	};
	const pulse = setInterval(look, PULSE);
	return {
		/** The longest time since this was asked last, in milliseconds. */
		longest() {
			look();
			const found = most;
			most = 0;
			return found;
		},
		stop: () => clearInterval(pulse),
	};
}
