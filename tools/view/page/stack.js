// SPDX-License-Identifier: Apache-2.0
// The live blocks at a position, in the order in which the timeline stacks them: those of each
// group by age, or all of them by age. It moves forward event by event; blocks below a limit are
// summed.
"use strict";

const BUCKET = 512; // blocks whose heights are summed, so that a height is found without all below it

class BlockStack {
  // `order` is "group" for a part for each group, or "block" for one part.
  constructor(recording, device, groups, order) {
    const blocks = recording.block.size.length;
    this.recording = recording;
    this.device = device;
    this.parts = order === "block" ? 1 : groups.bands.length;
    this.part = order === "block" ? new Uint8Array(blocks) : groups.band; // of each block
    this.next = new Int32Array(blocks + this.parts); // lists of the large live blocks; each ends in `blocks` + part
    this.previous = new Int32Array(blocks + this.parts);
    this.choosePlaces(blocks);
    this.buckets = new Float64Array(this.heights.length / BUCKET);
    this.large = new Float64Array(this.parts);
    this.small = new Float64Array(this.parts);
    this.smallMatches = new Float64Array(this.parts);
  }

  // Numbers the blocks in the order of the stack. Each part begins with a bucket.
  choosePlaces(blocks) {
    const counts = new Uint32Array(this.parts);
    for (const b of this.device.own) counts[this.part[b]]++;
    this.first = new Uint32Array(this.parts); // the first place of each part
    let places = 0;
    counts.forEach((count, part) => {
      this.first[part] = places;
      places += Math.ceil(count / BUCKET) * BUCKET;
    });
    const free = this.first.slice();
    this.place = new Uint32Array(blocks);
    this.blockAt = new Uint32Array(places);
    for (const b of this.device.own) {
      this.place[b] = free[this.part[b]]++;
      this.blockAt[this.place[b]] = b;
    }
    this.heights = new Float64Array(places); // of each place; 0 if its block is not live or not large
  }

  // Goes to a position. Blocks below `limit` bytes are summed, those in `matches` apart.
  begin(at, limit, matches) {
    const { birth, death, own } = this.device;
    const blocks = this.place.length;
    this.position = at;
    this.limit = limit;
    this.matches = matches;
    for (const sums of [this.heights, this.buckets, this.large, this.small, this.smallMatches]) sums.fill(0);
    for (let end = blocks; end < blocks + this.parts; end++) this.next[end] = this.previous[end] = end;
    for (const b of own) {
      if (birth[b] > at) break;
      if (at < death[b]) this.change(b, 1);
    }
  }

  advance(at) {
    this.device.eachChange(this.position, at, (b, sign) => this.change(b, sign));
    this.position = at;
  }

  change(b, sign) {
    const size = this.recording.block.size[b];
    const part = this.part[b];
    if (size < this.limit) {
      const sums = this.matches !== null && this.matches[b] ? this.smallMatches : this.small;
      sums[part] += sign * size;
      return;
    }
    const { next, previous } = this;
    const place = this.place[b];
    this.large[part] += sign * size;
    this.buckets[place / BUCKET | 0] += sign * size;
    this.heights[place] += sign * size;
    if (sign < 0) {
      next[previous[b]] = next[b];
      previous[next[b]] = previous[b];
    } else {
      const end = this.place.length + part;
      const last = previous[end];
      next[last] = previous[end] = b;
      previous[b] = last;
      next[b] = end;
    }
  }

  // Calls visit(block, from, to) for the large blocks of a part between two heights of it.
  visit(part, low, high, visit) {
    const { next, heights, buckets, place } = this;
    if (low >= this.large[part] || high <= 0) return;
    let from = 0;
    let b = next[place.length + part];
    if (low > 0) {
      let bucket = this.first[part] / BUCKET;
      while (from + buckets[bucket] <= low) from += buckets[bucket++];
      let at = bucket * BUCKET;
      while (from + heights[at] <= low) from += heights[at++];
      b = this.blockAt[at];
    }
    for (; b < place.length && from < high; b = next[b]) {
      const to = from + heights[place[b]];
      visit(b, from, to);
      from = to;
    }
  }
}
