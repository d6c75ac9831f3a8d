import type { chart as english } from '../en/chart.ts'

export const chart: Record<keyof typeof english, string> = {
  'span.day': 'Tag',
  'span.week': 'Woche',
  'span.month': 'Monat',
  'span.year': 'Jahr',
  'history.title': 'Verlauf',
  'strips.title': 'Die letzten 24 Stunden',
  'strips.range': '{low}° bis {high}°',
  'history.span': 'Zeitraum',
  'history.empty': 'Noch kein Verlauf. Er beginnt mit der ersten Messung.',
  'history.moment': 'Zeitpunkt im Diagramm',
  'history.earlier': 'Früher',
  'history.later': 'Später',
  'history.reset': 'Ganzer Zeitraum',
  'history.humidity': 'Luftfeuchte',
  'history.csv': 'CSV-Datei',
  'history.csv_short': 'CSV',
  'readout.time': 'Zeit',
  'readout.temperature': 'Raum',
  'readout.target': 'Geregelt auf',
  'readout.power': 'Leistung',
  'readout.outdoor': 'Draußen',
  'readout.humidity': 'Feuchte',
  'readout.surface_humidity': 'An der kältesten Wand',
  'readout.expected': 'Erwartet',
  'readout.planned': 'Geplante Wärme',
  'readout.price': 'Preis',
  'shadow.title': 'Nur beobachten',
  'shadow.since':
    'Seit dem {date} heizt ein anderer Thermostat diesen Raum. Hypocaust misst und lernt und sendet dem Ventil keinen Befehl.',
  'shadow.no_heat_seen':
    'Nichts meldet, wann der andere Thermostat heizt. Ordne das Ventil zu und lass das Gateway dessen Relais oder den Thermostat mithören; ohne das kann Hypocaust nicht vergleichen.',
  'shadow.too_short': 'Der Vergleich braucht zwei Tage Messwerte und zählt nach einer Woche.',
  'shadow.not_learned':
    'Hypocaust kennt diesen Raum noch nicht: Der Vergleich rechnet mit einem typischen Boden dieser Art und kann weit danebenliegen.',
  'shadow.early': 'Das ist ein erster Eindruck: Er zählt nach sieben Tagen.',
  'shadow.below': 'Zu kalt, Kelvinstunden',
  'shadow.above': 'Zu warm, Kelvinstunden',
  'shadow.heat': 'Wärme, kWh',
  'shadow.compared_one': '{n} Tag, gemessen an Soll-Temperatur und Programm, die hier eingestellt sind',
  'shadow.compared_other': '{n} Tage, gemessen an Soll-Temperatur und Programm, die hier eingestellt sind',
  'shadow.other': 'Anderer',
  'shadow.comfort_better':
    'Mit Hypocaust wäre der Raum um {kh} Kelvinstunden (±\u00a0{error}) näher am Sollwert gewesen.',
  'shadow.comfort_worse':
    'Mit Hypocaust wäre der Raum um {kh} Kelvinstunden (±\u00a0{error}) weiter vom Sollwert entfernt gewesen.',
  'shadow.comfort_same':
    'Der Komfort wäre etwa gleich gewesen: Der Unterschied ist kleiner als seine Unsicherheit (±\u00a0{error} Kelvinstunden).',
  'shadow.heat_less': 'Der Raum hätte {percent}\u00a0% weniger Wärme gebraucht (±\u00a0{error}\u00a0%).',
  'shadow.heat_more': 'Der Raum hätte {percent}\u00a0% mehr Wärme gebraucht (±\u00a0{error}\u00a0%).',
  'shadow.heat_same':
    'Der Wärmebedarf wäre etwa gleich gewesen: Der Unterschied ist kleiner als seine Unsicherheit (±\u00a0{error}\u00a0%).',
  'shadow.how':
    'Was war, ist gemessen; was Hypocaust getan hätte, ist mit dem gelernten Modell des Raums gerechnet, wobei das Wetter dieser Tage im Voraus bekannt war. Aus Temperaturen lassen sich nur Verhältnisse lernen: Die kWh sind nur grob bekannt, es kommt auf die Prozente an.',
  'shadow.take_over': 'Übernehmen',
  'shadow.take_over_title': '{room} übernehmen?',
  'shadow.take_over_text':
    'Danach bedient Hypocaust das Ventil. Schalte den anderen Thermostat vorher ab, sonst arbeiten beide gegeneinander.',
  'shadow.taken_over': 'Hypocaust heizt jetzt: {room}',
  'shadow.no_valve': 'Diesem Raum ist kein Ventil zugeordnet. Ordne eines zu, bevor du ihn übernimmst.',
}
