#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# In Chromium the page shows the same numbers as `tarn explain --json`, for each recording of the public
# collection: the page computes them by itself. The segments over time add up to the reserved bytes.
# shellcheck disable=SC1091,SC2154 # sourced; it sets work
. "$SRC/tests/support/cli.sh"
. "$SRC/tests/support/browser.sh"

folder=${TARN_RECORDINGS:-$SRC/../shared/traces/public}
ls "$folder"/*.pickle.gz >/dev/null 2>&1 || {
    echo "skipped: no public recordings (TARN_RECORDINGS)"
    exit 77
}

for recording in "$folder"/*.pickle.gz; do
    expect 0 explain "$recording" --json
    cp "$work/out" "$work/explained.json"
    expect 0 view "$recording" -o "$work/page.html" --no-replay
    {
        printf 'const explained = '
        cat "$work/explained.json"
        cat <<'END'
const { tarnView: page } = window;
const { moment, whole } = explained;
page.chooseDevice(page.recording.devices.findIndex((device) => device.number === explained.device));
const { device } = page.view;
const differences = [];
const compare = (name, shown, wanted) => {
  if (JSON.stringify(shown) !== JSON.stringify(wanted)) differences.push(`${name}: ${shown}, not ${wanted}`);
};
compare("peak", device.live[device.peak], whole.peak_live_bytes);
if (device.peak > 0) compare("event of the peak", page.view.device.eventText(device.peak), `event ${whole.peak_event.toLocaleString("en")}`);
compare("live at the end", device.live[device.count], whole.live_at_end_bytes);
const at = moment.event ?? 0;
page.setMoment(at);
page.drawPending();
compare("live", device.live[at], moment.live_bytes);
compare("reserved", device.reserved[at], moment.reserved_bytes);
const { state } = page.map;
compare("free", state.free, moment.hole_bytes + moment.empty_segment_bytes + moment.private_free_bytes);
if (moment.private_free_bytes === 0) compare("largest free", state.largestFree, moment.largest_free_bytes);
for (const group of ["function", "line", "stream", "phase"]) {
  page.chooseGroup(group);
  const { holders, rest_bytes: rest } = explained[`by_${group}`];
  const sums = page.view.groups.sumsAt(page.recording, at).map((sum) => [sum.bytes, sum.blocks])
    .filter(([bytes]) => bytes > 0).sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  const wanted = holders.map((holder) => [holder.bytes, holder.blocks]).sort((a, b) => b[0] - a[0] || b[1] - a[1]);
  compare(`by ${group}`, sums.slice(0, wanted.length), wanted);
  compare(`rest by ${group}`, sums.slice(wanted.length).reduce((sum, [bytes]) => sum + bytes, 0), rest);
}
if (device.segmentEvents.length + device.startingSegmentCount > 0) { // at every moment, what the segments hold is reserved
  const history = page.segments.historyOf(page.recording, device);
  history.begin(0);
  for (let position = 0; position <= device.count && differences.length < 5; position++) {
    history.advance(position);
    compare("segments", history.bands.reduce((sum, band) => sum + history.total[band], 0), device.reserved[position]);
    compare("used within", history.bands.some((band) => history.used[band] > history.total[band]), false);
  }
}
return { differences: differences.length, list: differences };
END
    } | browse "$work/page.html"
    shows differences 0
done
