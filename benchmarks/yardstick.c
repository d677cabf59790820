/* The yardstick: the three bare rules on a uniform grid, hand-written C with OpenMP and SIMD.
 *
 *   gcc -O3 -march=native -ffast-math -fopenmp benchmarks/yardstick.c -o yardstick -lm
 *   ./yardstick BOIDS TICKS [SETTLE]     ->  {"boids": ..., "ms_per_tick": ...}
 *
 * It runs the standard flock of `boids bench`: a square torus with 16 neighbours within radius 50 at start, separation
 * radius 25, speed 50 to 150 u/s, 60 ticks/s, uniform start. One species, all-round view, one set of parameters, and
 * float32 sums in no fixed order: the cheapest honest version of the work. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: %s BOIDS TICKS [SETTLE]\n", argv[0]), 2;
    const int n = atoi(argv[1]), ticks = atoi(argv[2]), settle = argc > 3 ? atoi(argv[3]) : 100;
    const float radius = 50, near = 25, dt = 1 / 60.f, slow = 50, fast = 150;
    const float cohesion = 0.2f * 0.064f, alignment = 0.05f, separation = 10; /* velocity change per tick */
    const int side = fmax(3, sqrt(n * M_PI * radius * radius / 16) / radius); /* cells in a row */
    const float width = side * radius, radius2 = radius * radius, near2 = near * near, per_near = 1 / near;
    float *x = malloc(4 * n), *y = malloc(4 * n), *u = malloc(4 * n), *v = malloc(4 * n);
    float *sx = malloc(4 * n), *sy = malloc(4 * n), *su = malloc(4 * n), *sv = malloc(4 * n);
    int *start = malloc(4 * (side * side + 2)), *cell = malloc(4 * n);
    srand48(1);
    for (int i = 0; i < n; i++) {
        const double heading = drand48() * 2 * M_PI;
        x[i] = drand48() * width, y[i] = drand48() * width, u[i] = 100 * cos(heading), v[i] = 100 * sin(heading);
    }
    double spent = 0;
    for (int t = 0; t < settle + ticks; t++) {
        const double begin = now();
        /* counting sort by cell */
        memset(start, 0, 4 * (side * side + 2));
        for (int i = 0; i < n; i++) {
            int cx = x[i] / radius, cy = y[i] / radius;
            cx = cx < 0 ? 0 : cx >= side ? side - 1 : cx, cy = cy < 0 ? 0 : cy >= side ? side - 1 : cy;
            start[(cell[i] = cy * side + cx) + 2]++;
        }
        for (int c = 0; c < side * side; c++) start[c + 2] += start[c + 1];
        for (int i = 0; i < n; i++) {
            const int k = start[cell[i] + 1]++;
            sx[k] = x[i], sy[k] = y[i], su[k] = u[i], sv[k] = v[i];
        }
#pragma omp parallel
        {
            int room = 0;
            float *bx = NULL, *by = NULL, *bu = NULL, *bv = NULL;
#pragma omp for schedule(dynamic, 4)
            for (int cy = 0; cy < side; cy++)
                for (int cx = 0; cx < side; cx++) {
                    const int c = cy * side + cx;
                    if (start[c] == start[c + 1]) continue;
                    int need = 16;
                    for (int k = 0; k < 9; k++) {
                        const int d = (cy + k / 3 - 1 + side) % side * side + (cx + k % 3 - 1 + side) % side;
                        need += start[d + 1] - start[d];
                    }
                    if (need > room) {
                        free(bx), free(by), free(bu), free(bv), room = (2 * need + 15) & ~15;
                        bx = aligned_alloc(64, 4 * room), by = aligned_alloc(64, 4 * room);
                        bu = aligned_alloc(64, 4 * room), bv = aligned_alloc(64, 4 * room);
                    }
                    int m = 0; /* candidates of 3 x 3 cells, shifted across the torus once */
                    for (int k = 0; k < 9; k++) {
                        int ry = cy + k / 3 - 1, rx = cx + k % 3 - 1;
                        const float oy = ry < 0 ? -width : ry >= side ? width : 0;
                        const float ox = rx < 0 ? -width : rx >= side ? width : 0;
                        ry = (ry + side) % side, rx = (rx + side) % side;
                        const int d = ry * side + rx;
                        for (int j = start[d]; j < start[d + 1]; j++, m++)
                            bx[m] = sx[j] + ox, by[m] = sy[j] + oy, bu[m] = su[j], bv[m] = sv[j];
                    }
                    for (; m & 15; m++) bx[m] = by[m] = 1e9f, bu[m] = bv[m] = 0;
                    for (int i = start[c]; i < start[c + 1]; i++) {
                        const float px = sx[i], py = sy[i];
                        float count = 0, cxs = 0, cys = 0, us = 0, vs = 0, ax = 0, ay = 0;
#pragma omp simd reduction(+ : count, cxs, cys, us, vs, ax, ay) aligned(bx, by, bu, bv : 64)
                        for (int j = 0; j < m; j++) {
                            const float dx = bx[j] - px, dy = by[j] - py, d2 = dx * dx + dy * dy;
                            const float seen = d2 < radius2 && d2 > 0 ? 1.f : 0.f;
                            const float push = d2 < near2 && d2 > 0 ? 1 / sqrtf(d2 + 1e-12f) - per_near : 0.f;
                            count += seen, cxs += seen * dx, cys += seen * dy, us += seen * bu[j], vs += seen * bv[j];
                            ax -= push * dx, ay -= push * dy;
                        }
                        float nu = su[i], nv = sv[i];
                        if (count > 0) {
                            nu += cohesion * cxs / count + alignment * (us / count - su[i]) + separation * ax;
                            nv += cohesion * cys / count + alignment * (vs / count - sv[i]) + separation * ay;
                        }
                        const float speed = sqrtf(nu * nu + nv * nv) + 1e-12f;
                        const float to = fminf(fmaxf(speed, slow), fast) / speed;
                        nu *= to, nv *= to;
                        float nx = px + nu * dt, ny = py + nv * dt;
                        nx += nx < 0 ? width : nx >= width ? -width : 0, ny += ny < 0 ? width : ny >= width ? -width : 0;
                        x[i] = nx, y[i] = ny, u[i] = nu, v[i] = nv;
                    }
                }
            free(bx), free(by), free(bu), free(bv);
        }
        if (t >= settle) spent += now() - begin;
    }
    printf("{\"boids\": %d, \"ticks\": %d, \"ms_per_tick\": %.4f}\n", n, ticks, 1e3 * spent / ticks);
    return 0;
}
