//go:build race

package store

// underRace is true when the race detector is on. SQLite then takes twenty times as long, and
// since each of its connections is used by one goroutine at a time, the largest tables in these
// tests would prove nothing more.
const underRace = true
