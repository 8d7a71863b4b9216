package symops

// state is where a reader could be.
type state uint8

const (
	top      state = iota // outside everything
	pending               // behind an action line, before its block
	block                 // inside a block
	nested                // inside a block that the content shows
	fenced                // inside a Markdown fence at the top
	fencedIn              // inside a fence that a fenced content shows
	implied               // inside a block that nothing opened
	calling               // inside a call of another language
	states
	same = states // the state stays
)

// role is what a line is in a reading.
type role uint8

const (
	text      role = iota // prose, blank
	construct             // what its kind says
	opens                 // a block's first delimiter
	closes                // a block's last delimiter
	content               // a block's line
	skipped               // a delimiter or fence that delimits nothing
	wrapped               // a fence around protocol lines
	called                // part of a foreign call
	told                  // part of a result that the model repeats
)

// fact is what a row asks of a line, of what surrounds it and of the path so far. A line knows those from worded to wrapping.
type fact uint32

const (
	sure      fact = 1 << iota // a construct with its symbols
	worded                     // text follows the fence or the delimiter; a delimiter ends the action line
	plainly                    // written as taught
	needing                    // an action that makes no sense without a block
	wrapping                   // a fence whose label says that protocol may follow
	wide                       // more than two hyphens
	apart                      // a blank line stands above
	leads                      // the next line with text is protocol
	ends                       // it is protocol, or there is none
	fencing                    // it is a fence
	parting                    // it is a fence or a delimiter
	shown                      // the line above introduces an example
	forbidden                  // it surely does
	opening                    // an action stands directly above that makes no sense without a block
	result                     // a result is told directly above
	owed                       // the pending action makes no sense without a block
	due                        // a block is still to come
	firm                       // the pending action was written with its symbol
	wrap                       // a fence around protocol is open
	quote                      // the open block is a result that the model repeats
	prosy                      // the file that is open holds language
	quoting                    // the content has shown action lines
	even                       // as long as the delimiter or fence that is open
	long                       // the open delimiter has more than two hyphens
	deep                       // indented deeper than the line that opened
)

// effect is what a row does to the path beside the state.
type effect uint8

const (
	nothing effect = iota
	leave          // the pending action stays without its block
	start          // an action begins
	open           // a block or fence begins
	repeat         // a block begins that repeats a result
	inner          // a fence in the content begins
	show           // the content shows protocol
	shut           // the block ends
	next           // the block ends, and an action begins
	wrapOn         // a fence around protocol begins
	wrapOff        // and ends
	enter          // a call begins, which may be the content of the action above
)

// price is how surprising a reading is: the cheapest of all lines is taken.
type price uint8

const (
	free    price = iota
	strange       // seldom meant
	wrong         // against the language
	spoken        // a line of text between constructs, all of which is no worse than wrong
	rates
)

// prices count only beside each other, so one of them is the measure of the others: wrong.
var prices = [rates]int32{strange: 12, wrong: 60, spoken: 20}

// A row is one way to read a line in a state. Of several that fit, each is tried.
type row struct {
	in           []state
	on           []kind
	when, unless fact
	to           state
	role         role
	price        price
	do           effect
}

var (
	outside  = []state{top, pending}
	acts     = []kind{action}
	delims   = []kind{delim}
	fences   = []kind{fence}
	unsaid   = []kind{sentence, code, item, pathLine, foreign, labelVerb, labelTarget, labelDetail, foreignInput}
	says     = []kind{thought, vitals, question, failure, labelSays}
	contents = append([]kind{blank, fence, labelHeader}, unsaid...)
	calls    = []kind{foreign, labelVerb}
	marks    = append([]kind{blank, sentence, code, item, pathLine, delim, labelTarget, labelDetail, labelHeader, foreignInput}, says...)
)

// rows are the language and what models make of it. Each is needed by a case: a test takes them away one by one.
var rows = []row{
	// Text and what is no action, outside.
	{in: outside, on: []kind{blank}, to: same, role: text},
	{in: []state{top}, on: unsaid, to: top, role: text, price: spoken},
	{in: []state{pending}, on: unsaid, to: top, role: text, price: spoken, do: leave},
	{in: []state{pending}, on: []kind{sentence, item}, when: owed, to: pending, role: text, price: spoken},
	{in: []state{pending}, on: []kind{sentence, code}, when: owed | firm, to: implied, role: content, price: strange, do: open},
	{in: outside, on: says, to: top, role: construct, do: leave},
	{in: outside, on: []kind{labelHeader}, to: same, role: construct},

	// Actions.
	{in: outside, on: acts, when: sure, unless: forbidden | worded, to: pending, role: construct, do: start},
	{in: outside, on: acts, unless: sure | shown | worded, to: pending, role: construct, do: start},
	{in: outside, on: acts, when: worded, unless: forbidden, to: block, role: construct, do: start},
	{in: outside, on: acts, unless: sure, to: top, role: text, price: spoken, do: leave},
	{in: outside, on: acts, when: forbidden, to: top, role: text, price: spoken, do: leave},
	{in: outside, on: []kind{pathLine}, when: parting, unless: shown, to: pending, role: construct, do: start},
	{in: outside, on: []kind{labelVerb}, to: pending, role: construct, do: start},
	{in: []state{top}, on: []kind{labelTarget}, to: pending, role: construct, do: start},
	{in: []state{pending}, on: []kind{labelTarget, labelDetail}, to: pending, role: construct},
	{in: outside, on: []kind{foreign}, to: calling, role: called, do: enter},
	{in: []state{pending}, on: []kind{foreignInput}, to: calling, role: called, do: enter},
	{in: []state{calling}, to: calling, role: called},

	// Delimiters and fences, outside.
	{in: []state{pending}, on: delims, to: block, role: opens, do: open},
	{in: []state{top}, on: delims, when: due, to: block, role: opens, do: open},
	{in: []state{top}, on: delims, when: result, to: block, role: told, do: repeat},
	{in: []state{top}, on: delims, unless: due | result, to: block, role: opens, price: wrong, do: open},
	{in: outside, on: delims, when: wide, unless: result, to: top, role: skipped, do: leave},
	{in: outside, on: delims, unless: wide, to: top, role: skipped, price: wrong, do: leave},
	{in: []state{pending}, on: fences, to: fenced, role: opens, do: open},
	{in: []state{top}, on: fences, to: fenced, role: opens, price: strange, do: open},
	{in: outside, on: fences, when: wrapping | leads, unless: wrap | shown, to: top, role: wrapped, do: wrapOn},
	{in: outside, on: fences, when: wrap, unless: worded, to: top, role: wrapped, do: wrapOff},
	{in: []state{pending}, on: fences, when: wrap | fencing, unless: worded, to: pending, role: wrapped, do: wrapOff},

	// Inside a block.
	{in: []state{block}, when: quote, unless: even, to: block, role: told},
	{in: []state{block}, on: delims, when: quote | even, to: top, role: told, do: shut},
	{in: []state{block}, on: contents, unless: quote, to: block, role: content},
	{in: []state{block}, on: []kind{sentence}, when: apart, unless: quote | prosy | deep, to: top, role: text, price: wrong, do: shut},
	{in: []state{block}, on: says, unless: quote, to: block, role: content, price: strange},
	{in: []state{block}, on: says, when: quoting, unless: quote, to: block, role: content},
	{in: []state{block}, on: says, unless: quote | sure, to: block, role: content},
	{in: []state{block}, on: says, when: sure, unless: quote, to: top, role: construct, price: wrong, do: shut},
	{in: []state{block}, on: acts, unless: quote, to: block, role: content, price: strange, do: show},
	{in: []state{block}, on: acts, when: quoting, unless: quote, to: block, role: content},
	{in: []state{block}, on: acts, when: sure, unless: quote | deep, to: pending, role: construct, price: wrong, do: next},

	// A delimiter inside a block.
	{in: []state{block}, on: delims, when: even, unless: quote | opening, to: top, role: closes, do: shut},
	{in: []state{block}, on: delims, when: even | ends, unless: quote | opening, to: block, role: content, price: strange},
	{in: []state{block}, on: delims, when: even, unless: quote | ends | opening, to: block, role: content, price: strange},
	{in: []state{block}, on: delims, unless: quote | even | long, to: top, role: closes, price: strange, do: shut},
	{in: []state{block}, on: delims, unless: quote | even, to: block, role: content},
	{in: []state{block}, on: delims, when: even | opening, unless: quote, to: nested, role: content, price: strange},
	{in: []state{nested}, on: delims, when: even, to: block, role: content, do: show},
	{in: []state{nested}, unless: even, to: nested, role: content},

	// Inside a fence.
	{in: []state{fenced}, on: marks, to: fenced, role: content},
	{in: []state{fenced}, on: calls, when: due, to: fenced, role: content},
	{in: []state{fenced}, on: fences, when: even, unless: worded, to: top, role: closes, do: shut},
	{in: []state{fenced}, on: fences, when: worded, to: fencedIn, role: content, do: inner},
	{in: []state{fenced}, on: fences, unless: even | worded, to: fenced, role: content},
	{in: []state{fenced}, on: delims, when: ends, unless: wide, to: top, role: closes, price: strange, do: shut},
	{in: []state{fenced}, on: acts, to: fenced, role: content, price: strange, do: show},
	{in: []state{fenced}, on: acts, when: sure | due | apart | plainly | parting, unless: deep, to: pending, role: construct, price: strange, do: next},
	{in: []state{fenced}, on: acts, when: sure | due | apart | plainly, unless: deep | needing, to: pending, role: construct, price: strange, do: next},
	{in: []state{fencedIn}, on: fences, when: even, unless: worded, to: fenced, role: content},
	{in: []state{fencedIn}, unless: even, to: fencedIn, role: content},

	// Inside a block that nothing opened.
	{in: []state{implied}, on: contents, to: implied, role: content},
	{in: []state{implied}, on: says, to: implied, role: content},
	{in: []state{implied}, on: delims, to: top, role: closes, do: shut},
	{in: []state{implied}, on: acts, unless: sure, to: implied, role: content},
	{in: []state{implied}, on: acts, when: sure, to: pending, role: construct, price: strange, do: next},
}

// finals are the prices of a reply that ends in a state; none ends in a block that a content shows.
var finals = [states]price{top: free, block: wrong, fenced: wrong, fencedIn: wrong, implied: strange, calling: wrong}
