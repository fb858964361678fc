// Keeps the files of this page, so that it opens and plays without a network. Whatever the network has comes first:
// a host that has been renewed is seen at once. Of what is no file it keeps nothing.
//
// The program names the files, and a version that changes with any of them.

const VERSION = '';
/** @type {string[]} */
const FILES = [];

const CACHE = `connect4-${VERSION}`;
/** The page itself, whatever the address. */
const PAGE = '/';

/** What the types of a page do not know of a service worker. @type {any} */
const worker = self;

/** All files are kept, or none: those of two versions do not fit together. */
async function keep() {
	const cache = await caches.open(CACHE);
	// The browser asks whether those that it has are still the same.
	const asked = [PAGE, ...FILES].map((path) => new Request(path, { cache: 'no-cache' }));
	await cache.addAll(asked);
	await worker.skipWaiting();
}

async function tidy() {
	const old = (await caches.keys()).filter((name) => name !== CACHE);
	await Promise.all(old.map((name) => caches.delete(name)));
	await worker.clients.claim();
}

/** @param {Request} request @param {string} path of what is kept */
async function answer(request, path) {
	const kept = () => caches.match(path, { cacheName: CACHE });
	try {
		const found = await fetch(request);
		// A proxy answers for a host that is away.
		return found.status >= 500 ? ((await kept()) ?? found) : found;
	} catch (failure) {
		const found = await kept();
		if (found) return found;
		throw failure;
	}
}

worker.addEventListener('install', (/** @type {any} */ event) => event.waitUntil(keep()));
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(tidy()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
	const { request } = event;
	const { origin, pathname } = new URL(request.url);
	if (request.method !== 'GET' || origin !== location.origin) return;
	if (request.mode === 'navigate') event.respondWith(answer(request, PAGE));
	else if (pathname.startsWith('/page/')) event.respondWith(answer(request, pathname));
});
