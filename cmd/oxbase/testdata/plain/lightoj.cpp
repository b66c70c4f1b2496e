// The straightforward solution of LightOJ 1401, for comparison: a table of SG values, then a
// look at each strip. With STREAMS it reads and prints by C++'s streams, otherwise by C's functions.
#include <cstdio>
#include <iostream>

static bool read(int &number) {
#ifdef STREAMS
    return bool(std::cin >> number);
#else
    return scanf("%d", &number) == 1;
#endif
}

static bool read(char (&word)[128]) {
#ifdef STREAMS
    return bool(std::cin >> word);
#else
    return scanf("%127s", word) == 1;
#endif
}

static void print(int number, const char *answer) {
#ifdef STREAMS
    std::cout << "Case " << number << ": " << answer << '\n';
#else
    printf("Case %d: %s\n", number, answer);
#endif
}

static int table[101][3][3]; // length, left end, right end: 0 edge, 1 O, 2 X

int main() {
    for (int n = 1; n <= 100; n++)
        for (int left = 0; left < 3; left++)
            for (int right = 0; right < 3; right++) {
                bool reached[256] = {};
                for (int cell = 0; cell < n; cell++)
                    for (int piece = 1; piece < 3; piece++) {
                        if ((cell == 0 && left == piece) || (cell == n - 1 && right == piece)) continue;
                        reached[table[cell][left][piece] ^ table[n - 1 - cell][piece][right]] = true;
                    }
                while (reached[table[n][left][right]]) table[n][left][right]++;
            }
    int cases;
    if (!read(cases)) return 1;
    for (int number = 1; number <= cases; number++) {
        char strip[128];
        if (!read(strip)) return 1;
        int sum = 0, pieces = 0, length = 0, left = 0;
        for (char *c = strip;; c++) {
            int here = *c == 'O' ? 1 : *c == 'X' ? 2 : 0;
            if (*c == '.') {
                length++;
                continue;
            }
            sum ^= table[length][left][here];
            if (!*c) break;
            pieces++;
            length = 0;
            left = here;
        }
        print(number, (sum != 0) == (pieces % 2 == 0) ? "Yes" : "No");
    }
}
