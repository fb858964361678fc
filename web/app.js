// Keeps this page for when there is no network, as an app: see sw.js.

let isAsked = false;

/** Has the browser keep the files of this page, once. Where it keeps none the page works as before. */
export function keepApp() {
	if (isAsked) return;
	isAsked = true;
	// Browsers offer it over TLS or on this machine.
	const { serviceWorker } = navigator;
	if (!serviceWorker) return;
	// A page whose index.html stands for all that it loads has none: no browser compares the hash of a service worker,
	// which would answer for all of the page.
	const has = document.querySelector('script[type="importmap"]') !== null;
	const done = has ? leave(serviceWorker) : serviceWorker.register('/sw.js');
	done.catch(() => {});
}

/** Ends what an earlier page of this address has left. @param {ServiceWorkerContainer} serviceWorker */
async function leave(serviceWorker) {
	const all = await serviceWorker.getRegistrations();
	await Promise.all(all.map((one) => one.unregister()));
}
