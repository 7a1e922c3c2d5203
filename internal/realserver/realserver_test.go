package realserver_test

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/kgeval/kgeval/internal/realserver"
)

// What a server says of itself, without any client of ours in between.
func TestRealServerNamesItsModel(t *testing.T) {
	realserver.NeedProcess(t)
	s := realserver.Start(t, realserver.Options{Context: 512})
	resp, err := http.Get(s.URL + "/models")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var models struct{ Data []struct{ ID string } }
	if err := json.NewDecoder(resp.Body).Decode(&models); err != nil {
		t.Fatal(err)
	}
	if len(models.Data) != 1 || models.Data[0].ID != s.Model {
		t.Errorf("the server has the models %+v, want %q alone", models.Data, s.Model)
	}
	s.Kill(t)
	if resp, err := http.Get(s.URL + "/models"); err == nil {
		resp.Body.Close()
		t.Error("a killed server answers")
	}
}
