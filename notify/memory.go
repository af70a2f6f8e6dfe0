package notify

import (
	"container/list"
	"maps"
	"slices"
)

// Lookup finds what a Memory that keeps pending records only does not hold. Each reports false where
// there is nothing. The center's storage is one.
type Lookup interface {
	Record(id string) (*Record, bool, error)
	Slot(slot Slot) (Newest, bool, error)
	Told(ref EventRef) (recordID string, ok bool, err error)
	Receipt(connection, key string) (*Receipt, bool, error)
}

// Memory is a State on maps with every index that decisions, the badge and the rail need. It has two
// forms: one that keeps everything, and one that keeps what is pending over a [Lookup] for the rest.
// The cost of a decision does not grow with history in either.
//
// Not safe for concurrent use; whoever shares one holds a lock, also for reading, since the counts
// are brought up to date when they are asked for.
type Memory struct {
	seq    int64
	lookup Lookup // nil: everything is here
	err    error

	records       map[string]*Record // terminal ones; only without lookup
	nodes         map[string]*node   // pending ones
	pending       *list.List         // of *node
	connections   map[string]*connectionNode
	order         []*connectionNode // of creation
	sessions      map[SessionRef]*sessionNode
	slots         map[Slot]Newest // with lookup: of pending records
	told          map[EventRef]string
	receipts      map[receiptKey]*Receipt
	dedup         map[Slot][]*node
	invalidations map[string]map[string]*Invalidation
	settings      Settings
	due           deadlines // NextDeadline
	idle          deadlines // ForgetAt of the sessions with nothing pending
	counts        counter
}

// node is a pending record with its places in the indexes.
type node struct {
	r                        *Record
	inAll, inConn, inSession *list.Element
	due, shift               deadline
	counted                  contribution
	connection               *connectionNode
	session                  *sessionNode // nil for application scope
}

// connectionNode is a connection with what is pending of it. c is nil where records or sessions
// name a connection that was never registered.
type connectionNode struct {
	id       string
	c        *Connection
	pending  *list.List // of *node
	sessions []*sessionNode
	silent   silences // those with nothing pending
	counts   Counts
}

// sessionNode is a session with what is pending of it; s is nil where only records name it.
type sessionNode struct {
	ref     SessionRef
	s       *Session
	pending *list.List // of *node
	waiting int
	unread  int
	asks    int
	need    Need
	owner   *connectionNode
	idle    deadline
	silent  silence
}

// NewMemory is an empty Memory that keeps everything.
func NewMemory() *Memory {
	m := newMemory()
	m.records = map[string]*Record{}
	m.told = map[EventRef]string{}
	m.receipts = map[receiptKey]*Receipt{}
	return m
}

// NewLive is an empty Memory that keeps what is pending, and looks the rest up. What it failed to
// look up is remembered by Err.
func NewLive(lookup Lookup) *Memory {
	m := newMemory()
	m.lookup = lookup
	return m
}

func newMemory() *Memory {
	m := &Memory{
		nodes:         map[string]*node{},
		pending:       list.New(),
		connections:   map[string]*connectionNode{},
		sessions:      map[SessionRef]*sessionNode{},
		slots:         map[Slot]Newest{},
		dedup:         map[Slot][]*node{},
		invalidations: map[string]map[string]*Invalidation{},
	}
	return m
}

// Load fills an empty Memory with a stored state.
func (m *Memory) Load(seq int64, connections []*Connection, sessions []*Session, pending []*Record,
	invalidations []*Invalidation, settings Settings) {
	for _, c := range connections {
		m.putConnection(c)
	}
	for _, s := range sessions {
		m.putSession(s)
	}
	for _, r := range pending {
		m.apply(&Change{Record: r})
	}
	for _, i := range invalidations {
		m.putInvalidation(i)
	}
	m.settings = settings
	m.seq = seq
}

// Err is the first failure of a lookup since ResetErr. While there is one, what was decided on this
// state may be wrong and must be discarded.
func (m *Memory) Err() error { return m.err }

// ResetErr forgets the failure.
func (m *Memory) ResetErr() { m.err = nil }

func (m *Memory) failed(err error) bool {
	if err != nil && m.err == nil {
		m.err = err
	}
	return err != nil
}

// Apply makes changes visible, in the order of their numbers.
func (m *Memory) Apply(changes []Change) {
	for i := range changes {
		m.apply(&changes[i])
	}
}

func (m *Memory) apply(c *Change) {
	m.seq = c.Seq
	if c.Receipt != nil && m.receipts != nil {
		m.receipts[receiptKey{c.Receipt.Connection, c.Receipt.Key}] = c.Receipt
	}
	switch {
	case c.Record != nil && c.Removed:
		m.removeRecord(c.Record)
	case c.Record != nil:
		m.putRecord(c.Record)
		if m.told != nil {
			m.tell(c)
		}
	case c.Connection != nil && c.Removed:
		m.removeConnection(c.Connection.ID)
	case c.Connection != nil:
		m.putConnection(c.Connection)
	case c.Session != nil && c.Removed:
		m.removeSession(c.Session.Ref())
	case c.Session != nil:
		m.putSession(c.Session)
	case c.Invalidation != nil && c.Removed:
		delete(m.invalidations[c.Invalidation.Connection], c.Invalidation.ID)
	case c.Invalidation != nil:
		m.putInvalidation(c.Invalidation)
	case c.Settings != nil:
		m.settings = *c.Settings
	}
}

func (m *Memory) putInvalidation(i *Invalidation) {
	byID := m.invalidations[i.Connection]
	if byID == nil {
		byID = map[string]*Invalidation{}
		m.invalidations[i.Connection] = byID
	}
	byID[i.ID] = i
}

// putRecord stores a record and brings every index up to date.
func (m *Memory) putRecord(r *Record) {
	n := m.nodes[r.ID]
	switch {
	case r.Status == Pending && n == nil:
		m.insert(r)
	case r.Status == Pending:
		m.unlinkKeys(n)
		n.r = r
		m.linkKeys(n)
	case n != nil:
		m.remove(n)
	}
	if m.lookup != nil {
		return
	}
	if r.Status == Pending {
		delete(m.records, r.ID)
	} else {
		m.records[r.ID] = r
	}
	if slot, ok := r.Slot(); ok {
		m.slots[slot] = slotWith(m, slot, r)
	}
}

// tell remembers the events that a change told.
func (m *Memory) tell(c *Change) {
	for ref := range c.tells() {
		if _, ok := m.told[ref]; !ok {
			m.told[ref] = c.Record.ID
		}
	}
}

// removeRecord removes a record that was pruned. Its key and its event stay known: an occurrence
// number is never used twice, and an event is told once whatever became of its record (A2).
func (m *Memory) removeRecord(r *Record) {
	if n := m.nodes[r.ID]; n != nil {
		m.remove(n)
	}
	delete(m.records, r.ID)
}

// insert links a record that became pending.
func (m *Memory) insert(r *Record) {
	n := &node{r: r, connection: m.connectionNode(r.Connection)}
	n.due.n, n.shift.n = n, n
	n.inAll = m.pending.PushBack(n)
	n.inConn = n.connection.pending.PushBack(n)
	if r.Scope == ScopeSession {
		n.session = m.sessionNode(SessionRef{r.Connection, r.Session})
		n.inSession = n.session.pending.PushBack(n)
		m.age(n.session)
	}
	m.nodes[r.ID] = n
	m.linkKeys(n)
}

// linkKeys links what depends on a record's content.
func (m *Memory) linkKeys(n *node) {
	if slot := n.r.dedupSlot(); slot.Key != "" {
		m.dedup[slot] = append(m.dedup[slot], n)
	}
	if m.lookup != nil {
		if slot, ok := n.r.Slot(); ok {
			m.slots[slot] = Newest{n.r.Occurrence, n.r.ID}
		}
	}
	m.due.set(&n.due, NextDeadline(n.r))
	m.count(n)
}

// unlinkKeys undoes linkKeys.
func (m *Memory) unlinkKeys(n *node) {
	if slot := n.r.dedupSlot(); slot.Key != "" {
		rest := slices.DeleteFunc(m.dedup[slot], func(o *node) bool { return o == n })
		if len(rest) == 0 {
			delete(m.dedup, slot)
		} else {
			m.dedup[slot] = rest
		}
	}
	if m.lookup != nil {
		if slot, ok := n.r.Slot(); ok && m.slots[slot].RecordID == n.r.ID {
			delete(m.slots, slot)
		}
	}
	m.due.set(&n.due, zeroTime)
}

// remove unlinks a record that is pending no longer.
func (m *Memory) remove(n *node) {
	m.unlinkKeys(n)
	m.uncount(n)
	m.pending.Remove(n.inAll)
	n.connection.pending.Remove(n.inConn)
	if n.session != nil {
		n.session.pending.Remove(n.inSession)
		m.age(n.session)
		m.dropSession(n.session)
	}
	delete(m.nodes, n.r.ID)
}

// connectionNode finds or makes the node of a connection.
func (m *Memory) connectionNode(id string) *connectionNode {
	n := m.connections[id]
	if n == nil {
		n = &connectionNode{id: id, pending: list.New()}
		m.connections[id] = n
	}
	return n
}

// sessionNode finds or makes the node of a session.
func (m *Memory) sessionNode(ref SessionRef) *sessionNode {
	n := m.sessions[ref]
	if n == nil {
		n = &sessionNode{ref: ref, pending: list.New(), owner: m.connectionNode(ref.Connection)}
		m.sessions[ref] = n
	}
	return n
}

// dropSession forgets the node of a session that is no more and has nothing pending.
func (m *Memory) dropSession(n *sessionNode) {
	if n.s == nil && n.pending.Len() == 0 {
		delete(m.sessions, n.ref)
	}
}

func (m *Memory) putConnection(c *Connection) {
	n := m.connectionNode(c.ID)
	if n.c == nil {
		m.order = append(m.order, n)
	}
	was, age := n.open(), sessionAge(n.c)
	n.c = c
	m.counts.reopen(n, was)
	if sessionAge(c) != age {
		for _, s := range n.sessions {
			m.age(s)
		}
	}
}

func (m *Memory) removeConnection(id string) {
	n := m.connections[id]
	if n == nil {
		return
	}
	was := n.open()
	n.c = nil
	m.counts.reopen(n, was)
	m.order = slices.DeleteFunc(m.order, func(o *connectionNode) bool { return o == n })
	if n.pending.Len() == 0 && len(n.sessions) == 0 {
		delete(m.connections, id)
	}
	delete(m.invalidations, id)
	forget(id, m.slots, m.told, m.receipts)
}

// forget drops what was remembered of a removed connection's keys, events and requests.
func forget(connection string, slots map[Slot]Newest, told map[EventRef]string, receipts map[receiptKey]*Receipt) {
	maps.DeleteFunc(slots, func(s Slot, _ Newest) bool { return s.Connection == connection })
	maps.DeleteFunc(told, func(ref EventRef, _ string) bool { return ref.Connection == connection })
	maps.DeleteFunc(receipts, func(k receiptKey, _ *Receipt) bool { return k.connection == connection })
}

func (m *Memory) putSession(s *Session) {
	n := m.sessionNode(s.Ref())
	if n.s == nil {
		n.owner.sessions = append(n.owner.sessions, n)
	}
	n.s = s
	m.counts.need(n)
	m.age(n)
}

func (m *Memory) removeSession(ref SessionRef) {
	n := m.sessions[ref]
	if n == nil || n.s == nil {
		return
	}
	n.s = nil
	m.counts.need(n)
	m.age(n)
	n.owner.sessions = slices.DeleteFunc(n.owner.sessions, func(o *sessionNode) bool { return o == n })
	m.dropSession(n)
}
