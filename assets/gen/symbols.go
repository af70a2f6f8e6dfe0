package main

// symbols are the single-colour icons of the windows, on a grid of 24 units,
// with lines two units wide and round ends, and two units of air around them.
// A symbol says what it means by its shape alone: colour comes from the theme.
var symbols = map[string]func(*shape){
	"bell": func(s *shape) {
		s.arc(12, 10.5, 5.5, 180, 360, 2)
		s.poly(2, 6.5, 10.5, 6.5, 14, 4.5, 17, 19.5, 17, 17.5, 14, 17.5, 10.5)
		s.stroke(12, 3.5, 12, 4.5, 2)
		s.arc(12, 18.8, 2.2, 20, 160, 2)
	},
	"check": func(s *shape) { s.poly(2.4, 4.5, 12.5, 9.8, 17.8, 19.5, 7) },
	"x":     func(s *shape) { s.stroke(6, 6, 18, 18, 2.4); s.stroke(18, 6, 6, 18, 2.4) },
	"clock": func(s *shape) { s.ring(12, 12, 9, 2); s.poly(2, 12, 7, 12, 12, 15.5, 14) },
	"snooze": func(s *shape) {
		s.move(20.6, 14.2)
		s.arcTo(12, 12, 9, rad(14), rad(256))
		s.curve(8.6, 6, 9.2, 9.8, 11.6, 12.2)
		s.curve(14, 14.6, 17.5, 15.3, 20.73, 14.18)
		s.end()
	},
	"mute": func(s *shape) {
		s.arc(12, 10.5, 5.5, 225, 360, 2)
		s.poly(2, 17.5, 10.5, 17.5, 13.5)
		s.poly(2, 6.5, 10.3, 6.5, 14, 4.5, 17, 16.5, 17)
		s.stroke(12, 3.5, 12, 4.5, 2)
		s.arc(12, 18.8, 2.2, 20, 160, 2)
		s.stroke(4, 4, 20, 20, 2)
	},
	"pause": func(s *shape) { s.box(6, 5, 4, 14, 1); s.box(14, 5, 4, 14, 1) },
	"setaside": func(s *shape) {
		s.stroke(4, 19, 20, 19, 2)
		s.stroke(12, 4, 12, 14, 2)
		s.poly(2, 7, 10, 12, 15, 17, 10)
	},
	"undo": func(s *shape) {
		s.poly(2, 8.5, 4.5, 4, 9, 8.5, 13.5)
		s.stroke(4.5, 9, 14, 9, 2)
		s.arc(14, 14, 5, -90, 90, 2)
		s.stroke(14, 19, 9, 19, 2)
	},
	"question": func(s *shape) {
		s.arc(12, 8.2, 4.2, 180, 390, 2.4)
		s.poly(2.4, 15.6, 10.3, 12, 13.2, 12, 15)
		s.disc(12, 19.5, 1.6)
	},
	"plan": func(s *shape) {
		for _, y := range []float64{6, 12, 18} {
			s.stroke(10, y, 20, y, 2)
		}
		s.poly(1.8, 3.2, 6, 4.6, 7.4, 7, 4.6)
		s.poly(1.8, 3.2, 12, 4.6, 13.4, 7, 10.6)
		s.disc(5, 18, 1.5)
	},
	"permission": func(s *shape) {
		s.poly(2, 12, 3, 19, 5.5, 19, 11.5)
		s.poly(2, 12, 3, 5, 5.5, 5, 11.5)
		s.arc(15, 11.5, 10, 116, 180, 2)
		s.arc(9, 11.5, 10, 0, 64, 2)
		s.poly(2, 10.7, 20.5, 12, 21.2, 13.3, 20.5)
		s.poly(2, 8.8, 11.6, 11.2, 14, 15.4, 9.4)
	},
	"error": func(s *shape) {
		s.loop(2, 8.3, 3, 15.7, 3, 21, 8.3, 21, 15.7, 15.7, 21, 8.3, 21, 3, 15.7, 3, 8.3)
		s.stroke(12, 7.5, 12, 12.5, 2.2)
		s.disc(12, 16.3, 1.4)
	},
	"warning": func(s *shape) {
		s.loop(2, 12, 4, 21.3, 20, 2.7, 20)
		s.stroke(12, 9.8, 12, 13.6, 2)
		s.disc(12, 16.9, 1.3)
	},
	"info": func(s *shape) { s.ring(12, 12, 9, 2); s.stroke(12, 11.5, 12, 16.5, 2.2); s.disc(12, 7.7, 1.4) },
	"success": func(s *shape) {
		s.ring(12, 12, 9, 2)
		s.poly(2.2, 7.8, 12.3, 10.8, 15.3, 16.2, 9)
	},
	"critical": func(s *shape) {
		s.loop(2, 12, 2.8, 21.2, 12, 12, 21.2, 2.8, 12)
		s.stroke(12, 8, 12, 12.6, 2.2)
		s.disc(12, 16, 1.4)
	},
	"progress": func(s *shape) {
		s.arc(12, 12, 9, -90, 150, 2.4)
		for _, a := range []float64{185, 215, 245} {
			x, y := polar(12, 12, 9, a)
			s.disc(x, y, 1.2)
		}
	},
	"report": func(s *shape) {
		s.poly(2, 14, 3, 6, 3, 6, 21, 18, 21, 18, 7, 14, 3, 14, 7, 18, 7)
		s.stroke(9.5, 12, 14.5, 12, 2)
		s.stroke(9.5, 16.5, 14.5, 16.5, 2)
	},
	"link": func(s *shape) {
		s.stroke(9, 15, 15, 9, 2)
		s.capsule(7.6, 16.4, -45)
		s.capsule(16.4, 7.6, 135)
	},
	"attachment": func(s *shape) {
		s.stroke(17.5, 8, 17.5, 15.5, 2)
		s.arc(12, 15.5, 5.5, 0, 180, 2)
		s.stroke(6.5, 15.5, 6.5, 6.8, 2)
		s.arc(10.2, 6.8, 3.7, 180, 360, 2)
		s.stroke(13.9, 6.8, 13.9, 15, 2)
		s.arc(12.1, 15, 1.8, 0, 180, 2)
		s.stroke(10.3, 15, 10.3, 8.5, 2)
	},
	"search": func(s *shape) { s.ring(10.5, 10.5, 6.5, 2); s.stroke(15.3, 15.3, 20.2, 20.2, 2.4) },
	"filter": func(s *shape) {
		s.stroke(4, 6.5, 20, 6.5, 2)
		s.stroke(7, 12, 17, 12, 2)
		s.stroke(10, 17.5, 14, 17.5, 2)
	},
	"settings": gear,
	"history": func(s *shape) {
		s.arc(12.5, 12, 8.5, -150, 130, 2)
		s.poly(2, 3.2, 4.5, 4.8, 8.6, 9, 7.4)
		s.poly(2, 12.5, 7.5, 12.5, 12, 15.5, 14)
	},
	"terminal": func(s *shape) {
		s.frame(3, 4, 18, 16, 2, 2)
		s.poly(2, 7, 9, 10, 12, 7, 15)
		s.stroke(12.5, 15.5, 16.5, 15.5, 2)
	},
	"connection": func(s *shape) {
		s.stroke(9, 3.5, 9, 8, 2)
		s.stroke(15, 3.5, 15, 8, 2)
		s.poly(2, 5.5, 9, 18.5, 9, 18.5, 11.5)
		s.stroke(5.5, 9, 5.5, 11.5, 2)
		s.arc(12, 11.5, 6.5, 0, 180, 2)
		s.stroke(12, 18, 12, 21, 2)
	},
	"dot": func(s *shape) { s.disc(12, 12, 5) },
	"session": func(s *shape) {
		s.poly(2, 8.5, 17, 4, 20.5, 4, 6.5)
		s.arc(6.5, 6.5, 2.5, 180, 270, 2)
		s.stroke(6.5, 4, 17.5, 4, 2)
		s.arc(17.5, 6.5, 2.5, 270, 360, 2)
		s.stroke(20, 6.5, 20, 14.5, 2)
		s.arc(17.5, 14.5, 2.5, 0, 90, 2)
		s.stroke(17.5, 17, 8.5, 17, 2)
		s.stroke(8.5, 9, 15.5, 9, 2)
		s.stroke(8.5, 12.8, 13, 12.8, 2)
	},
	"expand":   func(s *shape) { s.poly(2.2, 5.5, 9, 12, 15.5, 18.5, 9) },
	"collapse": func(s *shape) { s.poly(2.2, 5.5, 15.5, 12, 9, 18.5, 15.5) },
	"external": func(s *shape) {
		s.poly(2, 10, 5, 5, 5, 5, 19, 19, 19, 19, 14)
		s.stroke(11, 13, 19.5, 4.5, 2)
		s.poly(2, 13.5, 4, 20, 4, 20, 10.5)
	},
	"more": func(s *shape) { s.disc(5, 12, 1.9); s.disc(12, 12, 1.9); s.disc(19, 12, 1.9) },
	"calendar": func(s *shape) {
		s.frame(4, 5, 16, 15, 2, 2)
		s.stroke(4, 10, 20, 10, 2)
		s.stroke(8.5, 3, 8.5, 6.5, 2)
		s.stroke(15.5, 3, 15.5, 6.5, 2)
		s.disc(8.5, 14.5, 1.4)
		s.disc(15.5, 14.5, 1.4)
		s.disc(12, 14.5, 1.4)
	},
	"play": func(s *shape) { s.loop(2, 7.5, 5, 18.5, 12, 7.5, 19) },
	"copy": func(s *shape) {
		s.frame(9, 9, 11, 11, 1.5, 2)
		s.poly(2, 15, 4, 5.5, 4)
		s.arc(5.5, 5.5, 1.5, 180, 270, 2)
		s.stroke(4, 5.5, 4, 15, 2)
	},
	"download": func(s *shape) {
		s.stroke(12, 4, 12, 15, 2)
		s.poly(2, 7, 10.5, 12, 15.5, 17, 10.5)
		s.poly(2, 4, 16, 4, 20, 20, 20, 20, 16)
	},
	"sound": func(s *shape) {
		s.loop(2, 4, 9.5, 7.5, 9.5, 12, 5.5, 12, 18.5, 7.5, 14.5, 4, 14.5)
		s.arc(12, 12, 4, -48, 48, 2)
		s.arc(12, 12, 8, -48, 48, 2)
	},
	"keyboard": func(s *shape) {
		s.frame(3, 6, 18, 12, 2, 2)
		for _, x := range []float64{7, 10.33, 13.67, 17} {
			s.disc(x, 10.3, 1.1)
		}
		s.stroke(8.5, 14.2, 15.5, 14.2, 2)
	},
	"plus":  func(s *shape) { s.stroke(12, 5, 12, 19, 2.2); s.stroke(5, 12, 19, 12, 2.2) },
	"trash": trash,
	"back":  func(s *shape) { s.poly(2.2, 15, 5.5, 8.5, 12, 15, 18.5) },
	"next":  func(s *shape) { s.poly(2.2, 9, 5.5, 15.5, 12, 9, 18.5) },
	"tag": func(s *shape) {
		s.loop(2, 4, 4, 12, 4, 20.5, 12.5, 12.5, 20.5, 4, 12)
		s.disc(8.2, 8.2, 1.5)
	},
	"offline": func(s *shape) {
		s.stroke(9, 3.5, 9, 6, 2)
		s.stroke(15, 3.5, 15, 8, 2)
		s.poly(2, 12.5, 9, 18.5, 9, 18.5, 11.5)
		s.stroke(5.5, 9, 5.5, 11.5, 2)
		s.arc(12, 11.5, 6.5, 50, 180, 2)
		s.stroke(12, 18, 12, 21, 2)
		s.stroke(4, 4, 20, 20, 2)
	},
	"pin": func(s *shape) {
		s.stroke(8, 4, 16, 4, 2)
		s.poly(2, 9.5, 4, 9.5, 9, 6.5, 14, 17.5, 14, 14.5, 9, 14.5, 4)
		s.stroke(12, 14, 12, 20.5, 2)
	},
}

func gear(s *shape) {
	s.ring(12, 12, 3, 2)
	s.ring(12, 12, 6.6, 2)
	for a := 0.0; a < 360; a += 45 {
		x0, y0 := polar(12, 12, 7, a)
		x1, y1 := polar(12, 12, 9.2, a)
		s.stroke(x0, y0, x1, y1, 2.6)
	}
}

func trash(s *shape) {
	s.stroke(4, 6.5, 20, 6.5, 2)
	s.poly(2, 9, 6, 9.5, 3.5, 14.5, 3.5, 15, 6)
	s.poly(2, 6, 7, 7, 20.5, 17, 20.5, 18, 7)
	s.stroke(10.2, 10.5, 10.5, 16.5, 1.8)
	s.stroke(13.8, 10.5, 13.5, 16.5, 1.8)
}
