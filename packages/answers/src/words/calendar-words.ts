import { fold } from './fold.ts'

/** Months and weekdays in the languages that are judged, with the usual abbreviations. */
const months = [
  'january jan januar janvier janv enero gennaio janeiro januari',
  'february feb februar février févr febrero febbraio fevereiro februari',
  'march mar märz mrz mars marzo março maart',
  'april apr avril avr abril aprile',
  'may mai mayo maggio maio mei',
  'june jun juni juin junio giugno junho',
  'july jul juli juillet juil julio luglio julho',
  'august aug août agosto augustus',
  'september sep sept septembre septiembre settembre setembro',
  'october oct oktober okt octobre octubre ottobre outubro',
  'november nov novembre noviembre novembro',
  'december dec dezember dez décembre déc diciembre dic dicembre dezembro',
]
const weekdays = [
  'sunday sundays sonntag sonntags dimanche domingo domenica zondag',
  'monday mondays montag montags lundi lunes lunedì maandag',
  'tuesday tuesdays dienstag dienstags mardi martes martedì dinsdag',
  'wednesday wednesdays mittwoch mittwochs mercredi miércoles mercoledì woensdag',
  'thursday thursdays donnerstag donnerstags jeudi jueves giovedì donderdag',
  'friday fridays freitag freitags vendredi viernes venerdì vrijdag',
  'saturday saturdays samstag samstags samedi sábado sabato zaterdag',
]

const indexOf = (lists: string[]) => new Map(lists.flatMap((list, index) => list.split(' ').map((word) => [fold(word), index] as const)))
const monthIndex = indexOf(months)
const weekdayIndex = indexOf(weekdays)

/** 0 for January, in any of the languages. The word is folded. */
export const monthOf = (word: string): number | undefined => monthIndex.get(word)
/** 0 for Sunday. */
export const weekdayOf = (word: string): number | undefined => weekdayIndex.get(word)

/** These are also other words of English; only as names, in upper case, are they months. */
export const isAmbiguousMonth = (word: string): boolean => ambiguous.has(word)
const ambiguous = new Set(['may', 'march', 'mar', 'mars', 'sep', 'dec', 'mei', 'dic', 'avr', 'jan', 'jun', 'nov'])

export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year' | 'hour'

const units: [Unit, string][] = [
  ['hour', 'hour hours stunde stunden heure heures hora horas ora ore uur'],
  ['day', 'day days tag tage tagen tages jour jours día días giorno giorni dia dias dag dagen'],
  ['week', 'week weeks woche wochen semaine semaines semana semanas settimana settimane weken'],
  ['month', 'month months monat monate monats monaten mois mes meses mese mesi mês maand maanden'],
  ['quarter', 'quarter quarters quartal quartale quartals trimestre trimestres trimestri kwartaal kwartalen'],
  ['year', 'year years jahr jahre jahres jahren année an années ans año años anno anni ano anos jaar jaren'],
]
const unitIndex = new Map(units.flatMap(([unit, list]) => list.split(' ').map((word) => [fold(word), unit] as const)))

export const calendarUnitOf = (word: string): Unit | undefined => unitIndex.get(word)

const words = (list: string) => new Set(list.split(/\s+/).map(fold))
/** Seen from now. */
const last = words(`last past letzte letzten letzter letztes vergangene vergangenen vergangener dernier dernière passé passée pasado pasada último última scorso
  scorsa passado passada afgelopen`)
/** Seen from what was named before. */
const previous = words(`previous prior preceding vorige vorigen voriger voriges vorherige vorherigen précédent précédente anterior precedente vorig vorige`)
const current = words('this current diese diesen dieser dieses ce cette este esta questo questa deze dit')
const before = words('before earlier prior previously ago davor zuvor vorher avant précédent précédente antes anterior prima precedente eerder ervoor daarvoor')
const latest = words('latest newest recent neueste neuesten jüngste jüngsten aktuellste récent récente reciente recente')

export const isLastWord = (word: string): boolean => last.has(word)
export const isPreviousWord = (word: string): boolean => previous.has(word)
export const isCurrentWord = (word: string): boolean => current.has(word)
export const isBeforeWord = (word: string): boolean => before.has(word)
export const isLatestWord = (word: string): boolean => latest.has(word)

/** Days relative to now. */
const relativeDays = new Map(
  Object.entries({ today: 0, heute: 0, "aujourd'hui": 0, hoy: 0, oggi: 0, hoje: 0, vandaag: 0, yesterday: -1, gestern: -1, hier: -1, ayer: -1, ieri: -1, ontem: -1, gisteren: -1 }),
)
export const relativeDayOf = (word: string): number | undefined => relativeDays.get(word)

const ordinals = new Map(
  Object.entries({
    first: 1, second: 2, third: 3, fourth: 4, erste: 1, ersten: 1, erstes: 1, zweite: 2, zweiten: 2, zweites: 2, dritte: 3, dritten: 3, drittes: 3, vierte: 4, vierten: 4, viertes: 4,
    premier: 1, deuxieme: 2, troisieme: 3, quatrieme: 4, primer: 1, primero: 1, segundo: 2, tercer: 3, cuarto: 4, primo: 1, secondo: 2, terzo: 3, quarto: 4,
    primeiro: 1, terceiro: 3, eerste: 1, tweede: 2, derde: 3, vierde: 4,
  }),
)
/** For quarters: 1 to 4. */
export const ordinalOf = (word: string): number | undefined => ordinals.get(word)

const eventDays = words('black good cyber easter ash palm whit giving super')
/** "Black Friday" is an event, not a day of the week. */
export const isEventDay = (wordBefore: string): boolean => eventDays.has(wordBefore)
