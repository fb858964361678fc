// Keeps this page for when there is no network, as an app: see sw.js.

let isAsked = false;

/** Has the browser keep the files of this page, once. Where it keeps none the page works as before. */
export function keepApp() {
	if (isAsked) return;
	isAsked = true;
	// Browsers offer it over TLS or on this machine.
	navigator.serviceWorker?.register('/sw.js').catch(() => {});
}
