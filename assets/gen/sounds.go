package main

import "math"

const soundRate = 16000 // enough for tones below 4 kHz, and keeps a file under 30 kB

// tone is one struck note: start in seconds, pitch in Hz, length until it has died away, loudness 0–1.
type tone struct{ at, hz, length, gain float64 }

// sounds are short, quiet and made of a few struck notes, so that they can be
// told apart without looking: rising asks, falling failed, one soft note is done.
var sounds = map[string][]tone{
	"question":   {{0, 659.26, 0.40, 0.5}, {0.13, 880, 0.62, 0.5}},
	"permission": {{0, 880, 0.25, 0.45}, {0.11, 880, 0.25, 0.45}, {0.24, 1174.66, 0.60, 0.5}},
	"failure":    {{0, 440, 0.35, 0.55}, {0.16, 311.13, 0.70, 0.6}},
	"finished":   {{0, 783.99, 0.75, 0.4}, {0.02, 1567.98, 0.35, 0.08}},
	"reminder":   {{0, 587.33, 0.40, 0.4}, {0.22, 587.33, 0.60, 0.4}},
}

func synth(tones []tone) []float64 {
	var end float64
	for _, t := range tones {
		end = max(end, t.at+t.length)
	}
	out := make([]float64, int(end*soundRate))
	for _, t := range tones {
		first, n := int(t.at*soundRate), int(t.length*soundRate)
		for i := 0; i < n && first+i < len(out); i++ {
			x := float64(i) / soundRate
			env := math.Min(1, x/0.006) * math.Exp(-6*x/t.length)
			env *= math.Min(1, (t.length-x)/0.03)
			w := 2 * math.Pi * t.hz * x
			out[first+i] += t.gain * env * (math.Sin(w) + 0.25*math.Sin(2*w)*math.Exp(-10*x) + 0.12*math.Sin(3*w)*math.Exp(-16*x)) / 1.3
		}
	}
	return out
}
