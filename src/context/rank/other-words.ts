// Words that people use for what code calls otherwise. Only words that a repository hardly has are looked up here.
import type { Corpus } from './corpus.ts';
import { type QueryTerm, wordForms } from './query-terms.ts';
import { findWords, TermCounter } from './search-words.ts';

/** Another word counts less than the word itself. */
const WEIGHT = 0.7;
/** A repository hardly has a word that is in no more files than this, or than this share of them. */
const FEW_FILES = 2;
const FEW_SHARE = 0.1;

/** The terms of a task, and other words for those that the repository hardly has. */
export function withOtherWords(corpus: Corpus, terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const own = new Set(terms.map(({ part }) => part));
  const counter = new TermCounter(corpus);
  const isRare = ({ forms }: QueryTerm) => {
    const { files } = counter.count(findWords(corpus, forms));
    return files.length <= Math.max(FEW_FILES, FEW_SHARE * corpus.size);
  };
  const others = terms.flatMap((term): QueryTerm[] => {
    const words = otherWords(term).filter((word) => !own.has(word));
    if (words.length === 0 || !isRare(term)) return [];
    return words.map((word) => ({
      part: word,
      weight: WEIGHT * term.weight,
      titleWeight: WEIGHT * term.titleWeight,
      forms: wordForms(word),
      insteadOf: term.part,
    }));
  });
  return others.length === 0 ? terms : [...terms, ...others];
}

/** The row of the word itself, else that of another form: `schedule` for `scheduling`. */
function otherWords({ part, forms: { stem } }: QueryTerm): readonly string[] {
  return OTHER_WORDS.get(part) ?? OTHER_WORDS.get(BY_STEM.get(stem) ?? '') ?? [];
}

/** `word: other words`, the likeliest first; base forms, because search finds the other forms. */
const TABLE = `
abbreviate: truncate shorten ellipsis; abort: cancel interrupt terminate; account: user profile login
address: location url uri host; adjust: tweak tune align resize; administrator: admin root superuser
advertisement: ad banner sponsor; alarm: alert reminder timer notification; album: gallery collection playlist
alert: warning notification toast; allow: permit enable grant whitelist; alphabetical: sort order collation
amount: quantity count total sum; analyse: analyze parse; anchor: attach bind pin fragment
angle: rotation degree radian; animation: transition keyframe tween; annotate: comment label decorate markup
announcement: notice banner broadcast news; anonymous: guest unauthenticated; app: application
appearance: theme style skin; application: app; appointment: booking slot visit event reservation
approve: accept confirm review allow; archive: zip tar compress backup; arg: argument param
argument: arg param option; arrange: layout sort order align; arrow: edge connector caret chevron
artefact: artifact; artifact: artefact build output; asynchronous: async promise future
attach: bind link mount append; attachment: file upload asset; audio: sound track media
authentication: auth login signin credential; author: owner creator user
authorise: authorize permission grant; authorize: auth permission grant allow
autocomplete: completion suggestion typeahead; autofill: autocomplete prefill; avatar: profile picture icon
average: mean avg; backdrop: background overlay scrim; background: bg backdrop wallpaper
backlog: queue pending; backup: snapshot dump archive export; badge: label tag chip indicator
balance: amount wallet credit; ban: block blacklist kick mute; bandwidth: throughput rate throttle
banner: header notice alert; basket: cart checkout; begin: start init launch; behavior: behaviour
behaviour: behavior; bill: invoice payment charge; bin: trash recycle binary bucket
blacklist: blocklist denylist block ban; blink: flash cursor caret; blog: post article
bluetooth: ble wireless; blur: unfocus gaussian filter; blurry: blur dpi resolution; bold: weight strong font
bookmark: favorite star save; boot: startup launch init; border: outline stroke frame; branch: ref head fork
brightness: luminance gamma contrast; broadcast: publish emit stream; browse: navigate explore
brush: pen stroke paint; bubble: tooltip popover balloon; bug: issue defect error; button: btn
buy: purchase checkout order payment; calculate: compute eval calc; calendar: date event schedule ical
cancel: abort dismiss revoke; caption: subtitle label title; capture: record screenshot grab
carousel: slider slideshow gallery; cart: basket checkout order; catalogue: catalog index library
category: tag group label; center: centre middle; centre: center middle; certificate: cert tls x509 pem
channel: room topic stream; character: char rune glyph; charge: payment invoice bill; chart: graph plot
chat: message conversation room; checkbox: toggle switch; checksum: hash digest crc; clash: conflict collision
cleanup: dispose gc purge teardown; clipboard: copy paste pasteboard; clock: time timer timestamp
clone: copy duplicate fork; collaborate: share contributor multiplayer; collaborator: member contributor
collapse: fold hide minimize; collision: conflict overlap intersect; color: colour hue palette
colour: color palette hue; combine: merge join concat; combobox: dropdown select; command: cmd
compare: diff cmp equal; compatibility: compat legacy; compile: build transpile emit
compiler: codegen transpile lower; complain: warn error lint; compress: gzip zip deflate minify
concurrent: parallel thread simultaneous; config: configuration cfg setting option
configuration: config cfg setting option; confirm: verify approve prompt; connection: conn socket session
connector: edge link arrow line; contact: address recipient person; contributor: author collaborator member
conversation: thread chat discussion; convert: transform parse cast; coordinate: position point lat lng
corrupt: invalid malformed broken; coupon: discount voucher promo; crash: panic exception abort segfault
credential: password secret token auth; crop: clip trim cut; cryptography: crypto cipher
currency: money price exchange; cursor: caret pointer; customer: client user buyer
customise: customize configure override; daemon: service server worker; daily: day cron schedule
database: db store sql; deadline: timeout due expiry; deadlock: lock hang mutex; decline: reject refuse deny
decompress: inflate unzip extract; decrypt: decipher cipher crypto; delay: timeout wait sleep debounce
delete: remove destroy drop; deliver: send dispatch; deny: reject forbid block
dependency: requirement package module; deploy: release publish rollout; description: desc summary
destination: target dest dst; detach: disconnect unlink unmount; device: hardware gadget
diagram: graph chart flowchart; dialog: modal popup dialogue; dialogue: dialog modal; diary: journal log
dictionary: dict map vocabulary; diff: difference compare patch delta; dim: opacity fade
dir: directory folder; directory: dir folder path; discard: drop ignore revert
disconnect: close detach offline; discount: coupon promo; discussion: thread comment conversation
dismiss: close hide cancel; dock: panel attach taskbar; documentation: doc readme manual
donate: sponsor fund payment; download: fetch pull; draft: unpublished wip; drag: move drop dnd pan
dropdown: select menu combobox; duplicate: clone copy dedupe; duration: length elapsed interval; dwell: hover
ellipsis: truncate overflow; email: mail smtp; embed: iframe inline oembed; emoji: emoticon reaction
emoticon: emoji smiley; encrypt: cipher crypto encipher; enrol: enroll register join
enroll: register join signup; env: environment; environment: env; episode: chapter track
erase: delete clear remove wipe; eraser: erase; estimate: guess approximate; exception: error throw
exclude: ignore skip filter; executable: binary bin exe; expand: unfold open toggle; expire: ttl timeout stale
extension: plugin addon suffix; extract: unzip unpack parse; failure: error exception; fake: mock stub dummy
favorite: favourite star bookmark; favourite: favorite star bookmark; fetch: get load request
firewall: rule filter policy; flavour: flavor variant; flicker: repaint redraw flash
flip: mirror reverse invert; fold: collapse; folder: directory dir; footnote: reference note
forbid: deny block disallow reject; forget: discard clear evict; fork: clone branch spawn
formula: expression equation; forum: discussion board topic thread; freeze: lock pause hang image
friend: contact follower buddy; fullscreen: maximize; gallery: album carousel image
gamepad: controller joystick; garbled: encoding charset; gesture: swipe touch pinch
glue: attach bind anchor snap; gradient: color ramp; grammar: parser syntax; graph: chart plot node
grey: gray disabled; guess: infer detect estimate; guest: anonymous visitor; handwriting: stroke ink freehand
hang: freeze deadlock block stuck timeout; headline: title heading; hide: conceal collapse visible
hierarchy: tree parent nested; highlight: mark syntax emphasis; hint: tooltip suggestion placeholder
history: log undo revision; holiday: vacation calendar; hotkey: shortcut keybinding accelerator
hover: mouseover mouseenter; hyperlink: link url href anchor; idle: inactive sleep; image: img picture photo
impersonate: masquerade assume; infer: guess deduce detect; init: initialize start setup
initialise: initialize init setup; initialize: init setup bootstrap; ink: stroke pen
interrupt: abort signal cancel; inventory: stock warehouse item; invite: invitation share
invoice: bill receipt payment; jagged: antialias; journal: log history wal; joystick: gamepad controller
keyboard: key shortcut keymap; kill: terminate stop signal; lag: latency delay; language: lang locale
lasso: selection select; latency: delay ping; launch: start run open; layout: arrange position grid
leak: memory dispose; library: lib package catalog; licence: license; license: licence
line: edge stroke row connector; link: url href anchor edge connection; locale: lang language i18n
localisation: localization i18n l10n; localization: i18n l10n translation; location: position place path
lock: mutex freeze; log: logger journal; login: signin auth session; logout: signout session
lookup: find query resolve; magnify: zoom scale; mail: email smtp; mailbox: inbox imap
maintainer: owner author; malformed: invalid corrupt; mask: hide redact clip; maths: math formula
maximise: maximize fullscreen; maximize: maximise fullscreen expand; mean: average avg
member: user participant collaborator; memorize: memoize cache; memory: mem heap alloc; mention: notify tag
menu: dropdown nav; message: msg; meter: gauge metre; metre: meter; microphone: mic audio input
minimise: minimize collapse; minimize: minimise collapse iconify; mistake: error typo; mock: fake stub
modal: dialog popup; money: currency price payment amount; monitor: watch screen metric
monthly: month recurring schedule; mouse: pointer cursor; movie: video film; msg: message
music: audio song track; mute: silence volume; navigate: route goto; neighbor: adjacent neighbour
neighbour: neighbor adjacent; newline: eol linebreak; newsletter: mail subscription campaign
nickname: username alias handle; normalise: normalize; notice: notification banner
notification: alert toast push; notify: alert emit publish; obfuscate: mangle minify
obsolete: deprecated stale legacy; offline: disconnected; opacity: alpha transparency; optimise: optimize
organisation: organization org team; organise: organize sort group; organization: org team organisation
orientation: rotation landscape portrait; orphan: dangling unreferenced; outline: border stroke toc
overlap: intersect collision; overwrite: replace override; owner: author maintainer user
package: pkg module bundle; padding: margin spacing; pagination: page offset limit; palette: color swatch
pane: panel split; panic: crash abort fatal; param: parameter argument; parameter: param argument
participant: member attendee; passcode: pin otp; passphrase: password secret
password: passwd secret credential; paste: clipboard insert; pause: suspend stop
payment: charge invoice billing; pen: brush stroke; pencil: stroke brush edit; performance: perf benchmark
periodic: interval recurring cron; permission: access role acl; persist: save store; phone: mobile telephone
photo: image picture; photograph: image photo; picker: selector chooser; picture: image img photo
pie: chart donut arc; pin: anchor sticky lock; place: location position anchor; placeholder: hint stub
plan: schedule; playback: play player; playlist: queue album; plugin: addon extension; poll: vote survey
popup: modal dialog popover; postpone: defer delay snooze; preference: setting pref config option
presentation: slide deck; prettify: format beautify; preview: thumbnail; price: cost amount
printer: print spool; privacy: private visibility; privilege: permission role; profile: account user
programme: program schedule; progress: percent spinner; prohibit: forbid deny; proxy: gateway upstream forward
publish: release post; purchase: order buy checkout; purge: clear clean evict; quantity: amount count qty
quota: limit; quote: cite escape; rating: score star review; reboot: restart; receipt: invoice
recipient: receiver addressee destination; recognise: recognize detect; reconnect: retry; rectangle: rect box
recurring: repeat rrule cron; redirect: forward rewrite; refund: payment reverse; refuse: reject deny
regex: regexp pattern; regexp: regex pattern; release: version tag publish; reload: refresh
remember: persist save store cache; reminder: notification alarm; remove: delete drop
rent: lease rental booking; repair: fix recover; reply: response answer; repo: repository; repository: repo
reserve: booking allocate; resize: scale; retrieve: get fetch load; retry: backoff attempt
rewind: seek backward; rollback: revert undo; rotate: rotation angle turn; rubber: eraser erase
sandbox: isolate jail; save: persist store write; schedule: cron plan job; screenshot: capture snapshot
scroll: scrollbar viewport; scrollbar: scroll; seat: reservation slot; secret: token credential password
separator: delimiter divider; serialise: serialize marshal; setting: preference config option
shadow: elevation blur; shelf: library collection; shell: terminal console tty; shipping: delivery
shop: store cart product; shortcut: hotkey keybinding alias; shorten: truncate abbreviate
shrink: resize scale minify; shuffle: random; sidebar: panel drawer; signature: sign hmac digest
signin: login auth; signout: logout; signup: register; silence: mute quiet; sketch: draw stroke freehand
slide: presentation deck; slider: range carousel; sluggish: slow latency performance; snap: align grid
snippet: excerpt template; song: track audio; spam: junk abuse; speech: voice tts
spelling: spellcheck dictionary typo; spinner: loading progress; spreadsheet: sheet csv grid table
squiggle: wavy underline diagnostic; startup: boot init launch; statistic: stat metric; stick: pin attach
sticky: pinned note; stock: inventory; strikethrough: strike del; stuck: hang deadlock
stutter: jank lag underrun; subscription: plan subscribe; subtitle: caption srt vtt
suggestion: completion hint recommend; survey: form poll; synchronise: sync; synchronize: sync
syntax: grammar parser; table: grid spreadsheet; tablet: mobile device stylus; taskbar: dock tray
team: group organization; telephone: phone; temp: temporary tmp; temporary: tmp temp
terminal: console tty shell pty; terminate: kill exit abort; thread: worker conversation
thumbnail: preview thumb; ticket: issue; tidy: format clean normalize; timeline: feed history
timer: timeout interval countdown; timetable: schedule calendar; timezone: tz offset; tint: color hue
tmp: temp temporary; toast: snackbar notification; toggle: switch; toolbar: ribbon menu; tooltip: hint popover
touch: tap gesture pointer; translate: i18n locale; translucent: opacity alpha; transparency: alpha opacity
trash: bin recycle delete; truncate: ellipsis shorten; tune: track audio song; tuner: channel dvb
tutorial: guide onboarding; typeface: font; typo: spell fuzzy misspell; undelete: restore recover trash
underline: decoration; undo: revert history; uninstall: remove; unread: seen badge
unresponsive: hang freeze timeout; unsubscribe: subscription; upgrade: update migrate; username: login user
verify: check validate; video: movie media film; visit: appointment booking; visitor: guest anonymous
visualise: visualize render plot; visualize: render plot; voice: audio speech; volume: gain mute; vote: poll
voucher: coupon; vulnerability: cve advisory; wait: delay sleep await; wallpaper: background
warn: alert notify; watermark: overlay stamp; webcam: camera; weekly: week recurring schedule cron
whiteboard: canvas board; whitelist: allowlist allow; whitespace: space blank; window: viewport frame
wipe: clear erase; wizard: stepper setup; workflow: pipeline action; zip: archive compress
zoom: scale magnify
`;

/** What code may call a word. */
const OTHER_WORDS: ReadonlyMap<string, readonly string[]> = new Map(
  TABLE.trim()
    .split(/\n|; /)
    .map((row): [string, readonly string[]] => {
      const [word, others] = row.split(': ');
      return [word!, others!.split(' ')];
    }),
);

/** By stem: a word of the table. */
const BY_STEM = new Map([...OTHER_WORDS.keys()].map((word) => [wordForms(word).stem, word]));
