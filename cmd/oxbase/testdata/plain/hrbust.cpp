// The straightforward solution of HRBUST 2320, for comparison: it searches each board anew.
#include <cstdio>

static char cells[9];

static bool line(char side) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6},
                                    {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    for (auto &l : lines)
        if (cells[l[0]] == side && cells[l[1]] == side && cells[l[2]] == side) return true;
    return false;
}

// The outcome from the point of view of the side to move.
static int search(char side) {
    char other = side == 'x' ? 'o' : 'x';
    if (line(side)) return 1;
    if (line(other)) return -1;
    int best = -2;
    for (char &cell : cells) {
        if (cell != '.') continue;
        cell = side;
        int outcome = -search(other);
        cell = '.';
        if (outcome > best) best = outcome;
    }
    return best == -2 ? 0 : best;
}

int main() {
    int cases;
    if (scanf("%d", &cases) != 1) return 1;
    while (cases--) {
        char side;
        for (char &cell : cells)
            if (scanf(" %c", &cell) != 1) return 1;
        if (scanf(" %c", &side) != 1) return 1;
        int outcome = search(side);
        if (side == 'o') outcome = -outcome;
        puts(outcome > 0 ? "x win!" : outcome < 0 ? "o win!" : "tie!");
    }
}
