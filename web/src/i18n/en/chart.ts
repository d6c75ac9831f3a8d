export const chart = {
  'span.day': 'Day',
  'span.week': 'Week',
  'span.month': 'Month',
  'span.year': 'Year',
  'history.title': 'History',
  'strips.title': 'The last 24 hours',
  'strips.range': '{low}° to {high}°',
  'history.span': 'Span of time',
  'history.empty': 'No history yet. It starts with the first reading.',
  'history.moment': 'Moment in the chart',
  'history.earlier': 'Earlier',
  'history.later': 'Later',
  'history.reset': 'Whole span',
  'history.humidity': 'Humidity',
  'history.csv': 'CSV file',
  'history.csv_short': 'CSV',
  'readout.time': 'Time',
  'readout.temperature': 'Room',
  'readout.target': 'Aiming for',
  'readout.power': 'Power',
  'readout.outdoor': 'Outdoors',
  'readout.humidity': 'Humidity',
  'readout.expected': 'Expected',
  'readout.planned': 'Planned heat',
  'readout.price': 'Price',
  'shadow.title': 'Only watching',
  'shadow.since':
    'Another thermostat has heated this room since {date}. Hypocaust measures and learns, and sends the valve no command.',
  'shadow.no_heat_seen':
    'Nothing reports when the other thermostat heats. Assign the valve and let the gateway hear its relay or the thermostat; without that Hypocaust cannot compare.',
  'shadow.too_short': 'The comparison needs two days of readings, and counts after a week.',
  'shadow.not_learned':
    'Hypocaust has not learned this room yet: the comparison uses a typical floor of its kind and may be far off.',
  'shadow.early': 'This is a first impression: it counts after seven days.',
  'shadow.below': 'Too cold, kelvin-hours',
  'shadow.above': 'Too warm, kelvin-hours',
  'shadow.heat': 'Heat, kWh',
  'shadow.compared': '{days} days, measured against the target and programme set here',
  'shadow.other': 'Other',
  'shadow.comfort_better':
    'With Hypocaust the room would have been closer to its setpoint by {kh} kelvin-hours (±\u00a0{error}).',
  'shadow.comfort_worse':
    'With Hypocaust the room would have been further from its setpoint by {kh} kelvin-hours (±\u00a0{error}).',
  'shadow.comfort_same':
    'Comfort would have been about the same: the difference is smaller than its error (±\u00a0{error} kelvin-hours).',
  'shadow.heat_less': 'It would have taken {percent}\u00a0% less heat (±\u00a0{error}\u00a0%).',
  'shadow.heat_more': 'It would have taken {percent}\u00a0% more heat (±\u00a0{error}\u00a0%).',
  'shadow.heat_same':
    'Heat would have been about the same: the difference is smaller than its error (±\u00a0{error}\u00a0%).',
  'shadow.how':
    'What happened is measured; what Hypocaust would have done is computed on the learned model of the room, with the weather of these days known in advance.',
  'shadow.take_over': 'Take over',
  'shadow.take_over_title': 'Take over {room}?',
  'shadow.take_over_text':
    'Hypocaust then works the valve. Turn the other thermostat off first, or the two work against each other.',
  'shadow.taken_over': '{room} is heated by Hypocaust now',
  'shadow.no_valve': 'No valve is assigned to this room. Assign one before you take it over.',
}
