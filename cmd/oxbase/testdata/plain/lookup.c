// Looks up in a tablebase, for comparison, the keys that standard input lists: one prepared
// statement in one transaction.
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>

int main(int argc, char **argv) {
    sqlite3 *db;
    sqlite3_stmt *statement;
    if (argc != 2 || sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
        sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK ||
        sqlite3_prepare_v2(db, "SELECT outcome, score, distance, reachable FROM positions WHERE key = ?", -1,
                           &statement, NULL) != SQLITE_OK)
        return 1;
    int64_t key, sum = 0;
    while (scanf("%" SCNd64, &key) == 1) {
        sqlite3_bind_int64(statement, 1, key);
        if (sqlite3_step(statement) != SQLITE_ROW) return 1;
        for (int column = 0; column < 4; column++) sum += sqlite3_column_int(statement, column);
        sqlite3_reset(statement);
    }
    printf("%" PRId64 "\n", sum);
    return sqlite3_finalize(statement) != SQLITE_OK || sqlite3_close(db) != SQLITE_OK;
}
