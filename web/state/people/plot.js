// A rating as a plot: where its line goes, and what stands beside its axes.

import { texts } from '../../words/people.js';

/** @import { RatingPoint } from '../../wire.d.ts' */

/** Ratings are between steps of so many points, with at least so many around a line that is flat. */
const STEPS = [10, 20, 50, 100, 200, 500];
const MOST_LINES = 5;
const LEAST_RANGE = 40;

/**
 * The plot of a rating, in a box of this size: a step for each game, from the rating before the first.
 * @param {RatingPoint[]} points at least one
 * @param {{ width: number, height: number, left: number, right: number, top: number, bottom: number }} box
 */
export function plot(points, box) {
	const ratings = points.map(({ rating }) => rating);
	const [least, most] = [Math.min(...ratings), Math.max(...ratings)];
	const room = Math.max(0, LEAST_RANGE - (most - least)) / 2;
	const range = most - least + 2 * room;
	const step = STEPS.find((size) => range / size <= MOST_LINES - 1) ?? 1000;
	const low = Math.floor((least - room) / step) * step;
	const high = Math.ceil((most + room) / step) * step;
	const [width, height] = [box.width - box.left - box.right, box.height - box.top - box.bottom];
	const across = Math.max(1, points.length - 1);
	const x = (/** @type {number} */ index) =>
		box.left + (points.length === 1 ? width / 2 : (index / across) * width);
	const y = (/** @type {number} */ rating) =>
		box.top + (1 - (rating - low) / (high - low)) * height;
	const places = points.map((point, index) => ({ x: x(index), y: y(point.rating), point }));
	const line = places
		.map((at, index) => `${index ? 'L' : 'M'}${round(at.x)} ${round(at.y)}`)
		.join('');
	const [first, last] = [places[0], places[places.length - 1]];
	const floor = box.top + height;
	const area = `${line}L${round(last?.x ?? 0)} ${floor}L${round(first?.x ?? 0)} ${floor}Z`;
	const lines = [];
	for (let rating = low; rating <= high; rating += step) lines.push({ rating, y: y(rating) });
	return { line, area, lines, places, last: last ?? null };
}

/** @param {number} number */
const round = (number) => Math.round(number * 10) / 10;

/** A plot in words. @param {RatingPoint[]} points */
export function plotText(points) {
	const ratings = points.map(({ rating }) => rating);
	const now = ratings[ratings.length - 1];
	if (now === undefined) return texts.noRatedGame;
	return texts.ratingAfter(points.length, now, Math.max(...ratings), Math.min(...ratings));
}
