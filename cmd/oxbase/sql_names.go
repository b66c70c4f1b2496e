package main

import (
	"context"
	"slices"
	"strings"

	"oxbase/store"
)

// catalog is what a session's files hold.
type catalog struct {
	schemas []string // main first
	objects []sqlObject
}

// sqlObject is a table or a view.
type sqlObject struct {
	schema, name, kind, sql string
	columns                 []string
}

// qualified returns the name as SQL wants it.
func (o sqlObject) qualified() string {
	if o.schema == "main" {
		return quoteName(o.name)
	}
	return quoteName(o.schema) + "." + quoteName(o.name)
}

// called reports whether someone means this table or view by a name.
func (o sqlObject) called(name string) bool {
	return strings.EqualFold(name, o.name) || strings.EqualFold(name, o.qualified()) ||
		strings.EqualFold(name, o.schema+"."+o.name)
}

// quoteName puts a name in double quotes unless it is a plain word.
func quoteName(name string) string {
	plain := name != "" && !isDigit(name[0]) && strings.IndexFunc(name, func(r rune) bool { return !isWordRune(r) }) < 0
	if plain && !slices.Contains(sqlKeywords(), strings.ToUpper(name)) {
		return name
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
}

// quoteText writes a text as SQL.
func quoteText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isWordRune(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// readCatalog reads the names of tables, views and columns.
func readCatalog(ctx context.Context, session *store.Session) (catalog, error) {
	var all catalog
	databases, err := collect(ctx, session, "SELECT name FROM pragma_database_list WHERE name <> 'temp' ORDER BY seq")
	if err != nil {
		return catalog{}, err
	}
	for _, row := range databases {
		schema := row[0]
		all.schemas = append(all.schemas, schema)
		objects, err := collect(ctx, session, "SELECT name, type, sql FROM "+quoteName(schema)+
			".sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid")
		if err != nil {
			return catalog{}, err
		}
		for _, row := range objects {
			all.objects = append(all.objects, sqlObject{schema: schema, name: row[0], kind: row[1], sql: row[2]})
		}
	}
	for i, o := range all.objects {
		// A view that can't be used has no columns.
		columns, err := collect(ctx, session, "SELECT name FROM pragma_table_info("+quoteText(o.name)+", "+quoteText(o.schema)+")")
		if ctx.Err() != nil {
			return catalog{}, err
		}
		for _, row := range columns {
			all.objects[i].columns = append(all.objects[i].columns, row[0])
		}
	}
	return all, nil
}

// collect returns the rows of a short result as texts.
func collect(ctx context.Context, session *store.Session, statement string) ([][]string, error) {
	var rows collected
	err := session.Query(ctx, statement, &rows)
	return rows, err
}

type collected [][]string

func (c *collected) Columns([]string) error { return nil }

func (c *collected) Row(values []any) error {
	row := make([]string, len(values))
	for i, value := range values {
		row[i], _ = plainText(value)
	}
	*c = append(*c, row)
	return nil
}

// sqlNames completes words from what the files hold, which it reads when it is first asked.
type sqlNames struct {
	session *store.Session
	read    bool
	catalog catalog
}

// complete returns what the word before the cursor, which stands after pos characters, may become.
func (n *sqlNames) complete(line string, pos int) (head string, completions []string, tail string) {
	if !n.read {
		// Without the names there are still the words of SQL.
		n.catalog, _ = readCatalog(context.Background(), n.session)
		n.read = true
	}
	before, tail := string([]rune(line)[:pos]), string([]rune(line)[pos:])
	return completeSQL(n.catalog, before, tail)
}

func completeSQL(all catalog, before, tail string) (string, []string, string) {
	start := strings.LastIndexFunc(before, func(r rune) bool { return !isWordRune(r) }) + 1
	head, word := before[:start], before[start:]
	var words []string
	switch command := strings.Fields(before); {
	case strings.HasPrefix(strings.TrimSpace(head), "."):
		if blank := strings.TrimSpace(head) == "."; blank && !strings.HasSuffix(head, " ") {
			head, word = strings.TrimSuffix(head, "."), "."+word
			for _, c := range sqlCommands() {
				words = append(words, c.name)
			}
			break
		}
		switch command[0] {
		case ".schema":
			for _, o := range all.objects {
				words = append(words, o.name)
			}
		case ".mode":
			words = sqlModes()
		}
	case strings.HasSuffix(head, "."):
		words = all.under(lastName(strings.TrimSuffix(head, ".")))
	case word != "" || strings.HasSuffix(head, `"`):
		quoted := strings.HasSuffix(head, `"`) && strings.Count(head, `"`)%2 == 1
		words = all.names()
		if quoted {
			head, word = strings.TrimSuffix(head, `"`), `"`+word
			break
		}
		words = append(words, sqlWords(word)...)
	}
	return head, matching(words, word), tail
}

// lastName returns the name at the end of a text, without its quotes.
func lastName(text string) string {
	if quoted, ok := strings.CutSuffix(text, `"`); ok {
		return quoted[strings.LastIndex(quoted, `"`)+1:]
	}
	return text[strings.LastIndexFunc(text, func(r rune) bool { return !isWordRune(r) })+1:]
}

// under returns the tables of a schema or the columns of a table, whichever the name is.
func (c catalog) under(name string) []string {
	var words []string
	for _, o := range c.objects {
		if strings.EqualFold(o.schema, name) {
			words = append(words, quoteName(o.name))
		}
		if strings.EqualFold(o.name, name) {
			for _, column := range o.columns {
				words = append(words, quoteName(column))
			}
		}
	}
	return words
}

// names returns the names of everything.
func (c catalog) names() []string {
	var words []string
	for _, o := range c.objects {
		if o.schema == "main" {
			words = append(words, quoteName(o.name))
		}
	}
	for _, schema := range c.schemas {
		words = append(words, quoteName(schema))
	}
	for _, o := range c.objects {
		for _, column := range o.columns {
			words = append(words, quoteName(column))
		}
	}
	return words
}

// sqlWords returns functions and the words of SQL, these in the case in which someone writes.
func sqlWords(word string) []string {
	var words []string
	for _, f := range store.Functions() {
		name, _, _ := strings.Cut(f.Signature, "(")
		words = append(words, name+"(")
	}
	for _, keyword := range sqlKeywords() {
		if word == strings.ToLower(word) {
			keyword = strings.ToLower(keyword)
		}
		words = append(words, keyword)
	}
	return words
}

// matching returns the words that begin with a prefix, in any case, each once. What stands in
// quotes may be begun without them.
func matching(words []string, prefix string) []string {
	var found []string
	for _, word := range words {
		unquoted := strings.TrimPrefix(word, `"`)
		begins := hasPrefixFold(word, prefix) || hasPrefixFold(unquoted, prefix)
		if begins && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}

// sqlKeywords are the words of SQL that a question is made of.
func sqlKeywords() []string {
	return []string{
		"ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", "COLUMN", "CROSS", "DESC", "DISTINCT", "ELSE", "END",
		"EXCEPT", "EXISTS", "EXPLAIN", "FILTER", "FROM", "GROUP", "HAVING", "IN", "INTERSECT", "IS", "JOIN", "LEFT", "LIKE",
		"LIMIT", "NATURAL", "NOT", "NULL", "OFFSET", "ON", "OR", "ORDER", "OVER", "PARTITION", "PLAN", "QUERY", "RECURSIVE",
		"RIGHT", "ROW", "SELECT", "THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
	}
}
