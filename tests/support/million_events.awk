# SPDX-License-Identifier: Apache-2.0
# Writes a text trace of a million events of random sizes and lives, and the number of its events and its peak to the file
# `peak`: awk -v peak=FILE -f million_events.awk
BEGIN {
    srand(1)
    next_id = time = 0
    while (events < 1000000) {
        time += int(rand() * 9)
        if (events < 999000 ? rand() < 0.5 || count < 10 : 0) {
            size[next_id] = 512 + int(rand() * 1000) * 512
            live[count++] = next_id
            sum += size[next_id]
            if (sum > most) most = sum
            print "a", time, next_id, size[next_id]
            next_id++
        } else if (count > 0) {
            at = int(rand() * count)
            print "f", time, live[at]
            sum -= size[live[at]]
            live[at] = live[--count]
        } else break
        events++
    }
    printf "%d %d\n", most, events >peak
}
