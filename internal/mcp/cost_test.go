package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"nebula"
)

// market are 20 servers with 15 tools each, known from earlier.
func market(t *testing.T) *Hub {
	t.Helper()
	things := map[string]string{
		"github": "issue,pull request,branch", "gitlab": "merge request,pipeline,runner", "slack": "channel,message,reaction", "notion": "page,block,workspace",
		"postgres": "table,query,index", "redis": "key,stream,cache entry", "sentry": "error event,release,alert rule", "jira": "ticket,sprint,board",
		"stripe": "invoice,customer,refund", "s3": "bucket,object,lifecycle", "k8s": "pod,deployment,namespace", "figma": "frame,component,comment",
		"browser": "tab,screenshot,form", "calendar": "appointment,attendee,room", "mail": "letter,folder,attachment", "maps": "route,place,distance",
		"weather": "forecast,storm warning,station", "drive": "document,spreadsheet,permission", "grafana": "dashboard,panel,annotation", "linear": "cycle,project,label",
	}
	h := open(t, Options{Cache: t.TempDir()})
	for name, nouns := range things {
		s := Server{Name: name, Command: "no-such-program"}
		var tools []Tool
		for _, noun := range strings.Split(nouns, ",") {
			for _, verb := range []string{"create", "list", "update", "delete", "search"} {
				tools = append(tools, Tool{Server: name, Name: verb + "_" + strings.ReplaceAll(noun, " ", "_"), Description: strings.ToUpper(verb[:1]) + verb[1:] + " a " + noun + " in " + name + ".",
					Schema: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string","description":"which one"},"body":{"type":"string","description":"what it is to be"}},"required":["id"]}`)})
			}
		}
		h.Use([]Server{s}, nil)
		h.keep(s, tools)
	}
	return h
}

func TestThreeHundredToolsCostARequestTwo(t *testing.T) {
	h := market(t)
	if n := len(h.listed()); n != 300 {
		t.Fatalf("%d tools", n)
	}
	cost := 0
	for _, s := range specs(h) {
		cost += h.o.Count(s.Name + s.Description + string(s.Schema()))
	}
	t.Logf("%d tokens at most", cost)
	if cost > 400 {
		t.Errorf("%d tokens", cost)
	}
	if text := find(t, h, "issue"); h.o.Count(text) > 1400 {
		t.Errorf("a search shows %d tokens", h.o.Count(text))
	}
}

func specs(h *Hub) (list []nebula.ToolSpec) {
	for _, t := range h.Tools() {
		list = append(list, t.Spec())
	}
	return list
}

func TestTheRightToolIsFoundAmongThreeHundred(t *testing.T) {
	h := market(t)
	for query, want := range map[string]string{
		"open a new issue on GitHub": "github.create_issue", "search slack messages": "slack.search_message", "refund a customer with stripe": "stripe.create_refund",
		"delete a kubernetes pod": "k8s.delete_pod", "list dashboards": "grafana.list_dashboard", "create merge request": "gitlab.create_merge_request",
		"take a screenshot": "browser.create_screenshot", "update the ticket in jira": "jira.update_ticket", "weather forecast": "weather.search_forecast", "maps.list_route": "maps.list_route",
	} {
		best := rank(h.listed(), query)
		at := -1
		for i, b := range best[:min(len(best), mostShown)] {
			if b.Full() == want {
				at = i
			}
		}
		if at < 0 {
			t.Errorf("%s: %s is not shown, first is %s", query, want, fmt.Sprint(best[:min(len(best), 3)]))
		}
	}
}
