package store

import (
	"strings"

	"modernc.org/sqlite"
)

// policy is what SQLite asks, while it prepares a statement, whether each part of it is allowed.
// It allows what reads the session's files and refuses everything else.
type policy struct {
	inside  bool   // a statement of the user is being run, not the one around it
	refused string // why the last part was refused
}

// authorize answers SQLite. The meaning of the words depends on the action.
func (p *policy) authorize(action sqlite.AuthorizerActionCode, first, second, _, _ string) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		loads := second == "load_extension" || second == "fts3_tokenizer"
		if !loads && (second != runFunction || !p.inside) {
			return sqlite.AuthorizerOK
		}
	case sqlite.AuthPragma:
		if pragmaReads(strings.ToLower(first), second != "") {
			return sqlite.AuthorizerOK
		}
	}
	p.refused = refusal(describeAction(action, first, second))
	return sqlite.AuthorizerDeny
}

// pragmaReads reports whether a pragma only reads. Some do if they have no argument.
func pragmaReads(name string, argument bool) bool {
	switch name {
	case "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
		"foreign_key_check", "integrity_check", "quick_check":
		return true
	case "database_list", "function_list", "collation_list", "module_list", "pragma_list", "compile_options",
		"application_id", "user_version", "schema_version", "data_version", "page_count", "page_size", "freelist_count",
		"encoding":
		return !argument
	}
	return false
}

func refusal(what string) string {
	return what + " is refused: SQL only reads here"
}

// describeAction names what was asked for as its author would.
func describeAction(action sqlite.AuthorizerActionCode, first, second string) string {
	change := func(verb string) string {
		if strings.HasPrefix(first, "sqlite_") && first != "sqlite_dbpage" {
			return "changing the schema"
		}
		return verb + " " + first
	}
	switch action {
	case sqlite.AuthInsert:
		return change("INSERT INTO")
	case sqlite.AuthUpdate:
		return change("UPDATE")
	case sqlite.AuthDelete:
		return change("DELETE FROM")
	case sqlite.AuthPragma:
		return "PRAGMA " + first
	case sqlite.AuthFunction:
		return "the function " + second
	case sqlite.AuthAttach:
		return "ATTACH"
	case sqlite.AuthDetach:
		return "DETACH"
	case sqlite.AuthTransaction:
		return first
	case sqlite.AuthSavepoint:
		return "SAVEPOINT"
	case sqlite.AuthAnalyze:
		return "ANALYZE"
	case sqlite.AuthReindex:
		return "REINDEX"
	}
	return "changing the schema"
}
