/** What each alert says, and what to do next: the same words on the page, in a mail and on the phone. */
const en = {
  'alert.building_silent': '{building} is silent since {time}',
  'alert.building_silent_do':
    'Check the gateway’s power and its connection to the internet. Until then it heats by itself.',
  'alert.sensor_silent': '{room}: the sensor is silent since {time}',
  'alert.sensor_silent_do': 'Change its battery, or bring it closer to the gateway.',
  'alert.sensor_never_heard': '{room}: the sensor has not been heard yet',
  'alert.sensor_never_heard_do': 'Put in its battery, or give the room another sensor.',
  'alert.battery_low': '{room}: the sensor’s battery is at {percent}',
  'alert.battery_low_do': 'Change it within the next weeks.',
  'alert.target_unreachable': '{room}: does not get warm enough, {degrees}° with all the heat there is',
  'alert.target_unreachable_do':
    'Close windows and doors, and look whether the water for the floor is warm enough. If the floor’s limit holds it back, or the cold outdoors is too much for it, lower the target.',
  'alert.valve_without_effect': '{room}: heat is asked for and does not arrive',
  'alert.valve_without_effect_do':
    'Look at this room’s valve: its actuator, its cable, its place on the manifold. If other rooms cool too, look at pump and boiler.',
  'alert.valve_silent': 'The valve of {room} does not answer',
  'alert.valve_silent_do':
    'Its relay does not confirm commands. Check its power and its connection to the network; the room gets no heat until then.',
  'alert.valve_stays_on': 'The valve of {room} stays on',
  'alert.valve_stays_on_do':
    'Its relay reports on although it was switched off. Switch it off by hand and replace it: its contact may be welded.',
  'alert.heat_source_failed': '{building}: heat is asked for in several rooms and arrives in none',
  'alert.heat_source_failed_do': 'Look at the boiler or heat pump, and at the pump of the floor heating.',
  'alert.gateway_not_following': '{building}: a gateway does not carry out what it is told',
  'alert.gateway_not_following_do':
    'Its rooms are heated by what they needed lately. See in the set-up which gateway was last heard when, and start it anew.',
  'alert.window_open': '{room}: a window seems to be open',
  'alert.window_open_do': 'Close it, or leave it: the control waits until it is over.',
}

const de: Record<keyof typeof en, string> = {
  'alert.building_silent': '{building} ist still seit {time}',
  'alert.building_silent_do': 'Prüfe Strom und Internetverbindung des Gateways. Bis dahin heizt es allein.',
  'alert.sensor_silent': '{room}: der Sensor ist still seit {time}',
  'alert.sensor_silent_do': 'Wechsle die Batterie, oder bringe ihn näher ans Gateway.',
  'alert.sensor_never_heard': '{room}: der Sensor wurde noch nicht gehört',
  'alert.sensor_never_heard_do': 'Lege die Batterie ein, oder gib dem Raum einen anderen Sensor.',
  'alert.battery_low': '{room}: die Batterie des Sensors steht bei {percent}',
  'alert.battery_low_do': 'Wechsle sie in den nächsten Wochen.',
  'alert.target_unreachable': '{room}: wird nicht warm genug, {degrees}° mit aller Wärme, die es gibt',
  'alert.target_unreachable_do':
    'Schließe Fenster und Türen, und sieh nach, ob das Wasser für den Boden warm genug ist. Wenn die Grenze des Bodens ihn zurückhält oder die Kälte draußen zu viel für ihn ist, senke das Ziel.',
  'alert.valve_without_effect': '{room}: Wärme wird angefordert und kommt nicht an',
  'alert.valve_without_effect_do':
    'Sieh nach dem Ventil dieses Raums: Stellantrieb, Kabel, Platz am Verteiler. Wenn auch andere Räume auskühlen, sieh nach Pumpe und Kessel.',
  'alert.valve_silent': 'Das Ventil von {room} antwortet nicht',
  'alert.valve_silent_do':
    'Das Relais bestätigt keine Befehle. Prüfe Strom und Verbindung des Relais; bis dahin wird der Raum nicht geheizt.',
  'alert.valve_stays_on': 'Das Ventil von {room} bleibt eingeschaltet',
  'alert.valve_stays_on_do':
    'Das Relais meldet „ein“, obwohl es ausgeschaltet wurde. Schalte es von Hand aus und ersetze es: der Kontakt kann verklebt sein.',
  'alert.heat_source_failed': '{building}: in mehreren Räumen wird Wärme angefordert und kommt in keinem an',
  'alert.heat_source_failed_do': 'Sieh nach Kessel oder Wärmepumpe und nach der Pumpe der Fußbodenheizung.',
  'alert.gateway_not_following': '{building}: ein Gateway führt nicht aus, was ihm gesagt wird',
  'alert.gateway_not_following_do':
    'Seine Räume werden so geheizt, wie sie es zuletzt brauchten. Sieh in der Einrichtung, welches Gateway wann zuletzt gehört wurde, und starte es neu.',
  'alert.window_open': '{room}: ein Fenster scheint offen zu sein',
  'alert.window_open_do': 'Schließe es, oder lass es: die Regelung wartet, bis es vorbei ist.',
}

export const ALERT_WORDS = { en, de }
