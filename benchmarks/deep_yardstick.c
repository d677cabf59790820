/* The yardstick with depth: the three bare rules on a uniform grid in three dimensions, hand-written C with OpenMP and SIMD.
 *
 *   gcc -O3 -march=native -ffast-math -fopenmp benchmarks/deep_yardstick.c -o deep_yardstick -lm
 *   ./deep_yardstick BOIDS TICKS [SETTLE]     ->  {"boids": ..., "ms_per_tick": ...}
 *
 * The standard flock with depth: a cubic torus with 16 neighbours within radius 50 at start (side rounded down to
 * whole radii), separation radius 25, speed 50 to 150 u/s, 60 ticks/s, uniform start. One species, all-round view,
 * one set of parameters, float32 sums in no fixed order: the cheapest honest version of the work. */
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
    const int side = fmax(3, cbrt(n * (4. / 3 * M_PI) * radius * radius * radius / 16) / radius); /* cells in a row */
    const int cells = side * side * side;
    const float width = side * radius, radius2 = radius * radius, near2 = near * near, per_near = 1 / near;
    float *x = malloc(4 * n), *y = malloc(4 * n), *z = malloc(4 * n), *u = malloc(4 * n), *v = malloc(4 * n), *w = malloc(4 * n);
    float *sx = malloc(4 * n), *sy = malloc(4 * n), *sz = malloc(4 * n), *su = malloc(4 * n), *sv = malloc(4 * n), *sw = malloc(4 * n);
    int *start = malloc(4 * (cells + 2)), *cell = malloc(4 * n);
    srand48(1);
    for (int i = 0; i < n; i++) {
        const double heading = drand48() * 2 * M_PI, up = 2 * drand48() - 1, flat = sqrt(1 - up * up);
        x[i] = drand48() * width, y[i] = drand48() * width, z[i] = drand48() * width;
        u[i] = 100 * flat * cos(heading), v[i] = 100 * flat * sin(heading), w[i] = 100 * up;
    }
    double spent = 0;
    for (int t = 0; t < settle + ticks; t++) {
        const double begin = now();
        /* counting sort by cell */
        memset(start, 0, 4 * (cells + 2));
        for (int i = 0; i < n; i++) {
            int cx = x[i] / radius, cy = y[i] / radius, cz = z[i] / radius;
            cx = cx < 0 ? 0 : cx >= side ? side - 1 : cx, cy = cy < 0 ? 0 : cy >= side ? side - 1 : cy;
            cz = cz < 0 ? 0 : cz >= side ? side - 1 : cz;
            start[(cell[i] = (cz * side + cy) * side + cx) + 2]++;
        }
        for (int c = 0; c < cells; c++) start[c + 2] += start[c + 1];
        for (int i = 0; i < n; i++) {
            const int k = start[cell[i] + 1]++;
            sx[k] = x[i], sy[k] = y[i], sz[k] = z[i], su[k] = u[i], sv[k] = v[i], sw[k] = w[i];
        }
#pragma omp parallel
        {
            int room = 0;
            float *bx = NULL, *by = NULL, *bz = NULL, *bu = NULL, *bv = NULL, *bw = NULL;
#pragma omp for schedule(dynamic, 4)
            for (int line = 0; line < side * side; line++)
                for (int cx = 0; cx < side; cx++) {
                    const int cy = line % side, cz = line / side, c = line * side + cx;
                    if (start[c] == start[c + 1]) continue;
                    int need = 16;
                    for (int k = 0; k < 27; k++) {
                        const int d = ((cz + k / 9 - 1 + side) % side * side + (cy + k / 3 % 3 - 1 + side) % side) * side + (cx + k % 3 - 1 + side) % side;
                        need += start[d + 1] - start[d];
                    }
                    if (need > room) {
                        free(bx), free(by), free(bz), free(bu), free(bv), free(bw), room = (2 * need + 15) & ~15;
                        bx = aligned_alloc(64, 4 * room), by = aligned_alloc(64, 4 * room), bz = aligned_alloc(64, 4 * room);
                        bu = aligned_alloc(64, 4 * room), bv = aligned_alloc(64, 4 * room), bw = aligned_alloc(64, 4 * room);
                    }
                    int m = 0; /* candidates of 3 x 3 x 3 cells, shifted across the torus once */
                    for (int k = 0; k < 27; k++) {
                        int rz = cz + k / 9 - 1, ry = cy + k / 3 % 3 - 1, rx = cx + k % 3 - 1;
                        const float oz = rz < 0 ? -width : rz >= side ? width : 0;
                        const float oy = ry < 0 ? -width : ry >= side ? width : 0;
                        const float ox = rx < 0 ? -width : rx >= side ? width : 0;
                        rz = (rz + side) % side, ry = (ry + side) % side, rx = (rx + side) % side;
                        const int d = (rz * side + ry) * side + rx;
                        for (int j = start[d]; j < start[d + 1]; j++, m++)
                            bx[m] = sx[j] + ox, by[m] = sy[j] + oy, bz[m] = sz[j] + oz, bu[m] = su[j], bv[m] = sv[j], bw[m] = sw[j];
                    }
                    for (; m & 15; m++) bx[m] = by[m] = bz[m] = 1e9f, bu[m] = bv[m] = bw[m] = 0;
                    for (int i = start[c]; i < start[c + 1]; i++) {
                        const float px = sx[i], py = sy[i], pz = sz[i];
                        float count = 0, cxs = 0, cys = 0, czs = 0, us = 0, vs = 0, ws = 0, ax = 0, ay = 0, az = 0;
#pragma omp simd reduction(+ : count, cxs, cys, czs, us, vs, ws, ax, ay, az) aligned(bx, by, bz, bu, bv, bw : 64)
                        for (int j = 0; j < m; j++) {
                            const float dx = bx[j] - px, dy = by[j] - py, dz = bz[j] - pz, d2 = dx * dx + dy * dy + dz * dz;
                            const float seen = d2 < radius2 && d2 > 0 ? 1.f : 0.f;
                            const float push = d2 < near2 && d2 > 0 ? 1 / sqrtf(d2 + 1e-12f) - per_near : 0.f;
                            count += seen, cxs += seen * dx, cys += seen * dy, czs += seen * dz;
                            us += seen * bu[j], vs += seen * bv[j], ws += seen * bw[j];
                            ax -= push * dx, ay -= push * dy, az -= push * dz;
                        }
                        float nu = su[i], nv = sv[i], nw = sw[i];
                        if (count > 0) {
                            nu += cohesion * cxs / count + alignment * (us / count - su[i]) + separation * ax;
                            nv += cohesion * cys / count + alignment * (vs / count - sv[i]) + separation * ay;
                            nw += cohesion * czs / count + alignment * (ws / count - sw[i]) + separation * az;
                        }
                        const float speed = sqrtf(nu * nu + nv * nv + nw * nw) + 1e-12f;
                        const float to = fminf(fmaxf(speed, slow), fast) / speed;
                        nu *= to, nv *= to, nw *= to;
                        float nx = px + nu * dt, ny = py + nv * dt, nz = pz + nw * dt;
                        nx += nx < 0 ? width : nx >= width ? -width : 0, ny += ny < 0 ? width : ny >= width ? -width : 0;
                        nz += nz < 0 ? width : nz >= width ? -width : 0;
                        x[i] = nx, y[i] = ny, z[i] = nz, u[i] = nu, v[i] = nv, w[i] = nw;
                    }
                }
            free(bx), free(by), free(bz), free(bu), free(bv), free(bw);
        }
        if (t >= settle) spent += now() - begin;
    }
    printf("{\"boids\": %d, \"ticks\": %d, \"ms_per_tick\": %.4f}\n", n, ticks, 1e3 * spent / ticks);
    return 0;
}
