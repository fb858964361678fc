// Hooks of Node's loader: each visit has the page's modules anew, as each load of a page has. In place of a
// check there may be nothing, to see that it is missed.

const WEB = new URL('../../', import.meta.url).href;
/** Modules that keep nothing from one visit to the next. */
const SHARED = /^(state\/|host\/(wasm|rpc|hex|code|codes|init-code)\.js)/;

export async function resolve(specifier, context, next) {
	const found = await next(specifier, context);
	const { search } = new URL(context.parentURL ?? 'data:,');
	const isOfPage = search && found.url.startsWith(WEB) && !found.url.includes('?');
	if (!isOfPage || SHARED.test(found.url.slice(WEB.length))) return found;
	return { ...found, url: found.url + search };
}

export async function load(url, context, next) {
	const loaded = await next(url, context);
	const plant = new URL(url).searchParams.get('plant');
	if (!plant) return loaded;
	const { file, from, to } = JSON.parse(plant);
	if (!url.startsWith(`${WEB}${file}?`)) return loaded;
	const source = String(loaded.source);
	if (!source.includes(from)) throw new Error(`${file} has no “${from}”`);
	return { ...loaded, source: source.replace(from, to) };
}
