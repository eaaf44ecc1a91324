// SPDX-License-Identifier: Apache-2.0
// Conway's game of life: tiles with a border in shared memory, and two boards in turn.
#include "check.h"

enum { TILE = 16, WIDTH = 50, HEIGHT = 40 };

__global__ void step(const unsigned char *in, unsigned char *out) {
    __shared__ unsigned char tile[TILE + 2][TILE + 2];
    const int x0 = blockIdx.x * TILE - 1, y0 = blockIdx.y * TILE - 1;
    for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        const int x = (x0 + i % (TILE + 2) + WIDTH) % WIDTH,
                  y = (y0 + i / (TILE + 2) + HEIGHT) % HEIGHT;
        tile[i / (TILE + 2)][i % (TILE + 2)] = in[y * WIDTH + x];
    }
    __syncthreads();
    int alive = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) alive += tile[threadIdx.y + dy][threadIdx.x + dx];
    const int own = tile[threadIdx.y + 1][threadIdx.x + 1];
    const int x = x0 + 1 + threadIdx.x, y = y0 + 1 + threadIdx.y;
    if (x < WIDTH && y < HEIGHT) out[y * WIDTH + x] = alive - own == 3 || (own && alive == 3);
}

int main() {
    std::vector<unsigned char> board(WIDTH * HEIGHT);
    numbers random;
    for (unsigned char &cell : board) cell = random() >> 30 == 0;
    device_array<unsigned char> a(board), b(board.size());
    const dim3 grid((WIDTH + TILE - 1) / TILE, (HEIGHT + TILE - 1) / TILE), block(TILE, TILE);
    for (int turn = 0; turn < 6; turn++) {
        if (turn % 2 == 0)
            step<<<grid, block>>>(a.get(), b.get());
        else
            step<<<grid, block>>>(b.get(), a.get());
        std::vector<unsigned char> next(board.size());
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                int around = 0;
                for (int k = 0; k < 9; k++)
                    around += k == 4 ? 0
                                     : board[(y + k / 3 + HEIGHT - 1) % HEIGHT * WIDTH +
                                             (x + k % 3 + WIDTH - 1) % WIDTH];
                next[y * WIDTH + x] = around == 3 || (board[y * WIDTH + x] && around == 2);
            }
        board = next;
    }
    EXPECT(a.download() == board);
}
