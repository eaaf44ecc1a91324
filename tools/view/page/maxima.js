// SPDX-License-Identifier: Apache-2.0
// Finds the highest value of a range of a column fast: level by level, the position of the highest
// of sixteen neighbours is kept.
"use strict";

const RUN = 16;

class Maxima {
  constructor(values) {
    this.values = values;
    this.levels = []; // each a list of positions
    for (let count = values.length; count > RUN; count = this.levels.at(-1).length) {
      const below = this.levels.at(-1);
      const level = new Uint32Array(Math.ceil(count / RUN));
      for (let i = 0; i < level.length; i++) {
        const first = i * RUN;
        let best = below === undefined ? first : below[first];
        for (let j = first + 1; j < Math.min(count, first + RUN); j++) {
          const at = below === undefined ? j : below[j];
          if (values[at] > values[best]) best = at;
        }
        level[i] = best;
      }
      this.levels.push(level);
    }
  }

  // Returns the first position of the highest value in [from, to), which is not empty.
  find(from, to) {
    const { values, levels } = this;
    let best = from;
    let [low, high] = [from, to];
    const take = (at) => {
      if (values[at] > values[best] || (values[at] === values[best] && at < best)) best = at;
    };
    for (let level = -1; ; level++) {
      const list = levels[level];
      const isLast = high - low < 2 * RUN || level + 1 === levels.length;
      while (low < high && (isLast || low % RUN !== 0)) take(list === undefined ? low++ : list[low++]);
      while (low < high && high % RUN !== 0) take(list === undefined ? --high : list[--high]);
      if (low >= high) return best;
      low /= RUN;
      high /= RUN;
    }
  }
}
