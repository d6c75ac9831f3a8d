import type { AlertFacts } from './alerts.ts'

/** What each alert says, and what to do next: the same words on the page, in a mail and on the phone. */
const en = {
  'alert.building_silent': '{building} has not reported since {time}',
  'alert.building_silent_do': 'Check the gateway’s power and internet connection. Until then it heats on its own.',
  'alert.sensor_silent': '{room}: the sensor has not reported since {time}',
  'alert.sensor_silent_do': 'Replace its battery, or move it closer to the gateway.',
  'alert.sensor_never_heard': '{room}: the sensor has not reported yet',
  'alert.sensor_never_heard_do': 'Insert its battery, or assign another sensor to the room.',
  'alert.battery_low': '{room}: the sensor’s battery is at {percent}',
  'alert.battery_low_do': 'Replace it within the next weeks.',
  'alert.target_unreachable': '{room}: does not get warm enough, {degrees}° at full heat',
  'alert.target_unreachable_do':
    'Close windows and doors, and check whether the water for the floor is warm enough. If the floor’s limit or very cold weather is the reason, lower the target.',
  'alert.valve_without_effect': '{room}: heat is requested but does not arrive',
  'alert.valve_without_effect_do':
    'Check this room’s valve: its actuator, its cable, its connection at the manifold. If other rooms cool down too, check pump and boiler.',
  'alert.model_broken': '{room}: the learned model was wrong and has been reset',
  'alert.model_broken_do':
    'The room is heated by its reading alone and is learned anew, which takes some days. Check its floor type and sensor in the set-up, and whether anything else is heated by its valve.',
  'alert.valve_silent': 'The valve of {room} does not answer',
  'alert.valve_silent_do':
    'Its relay does not confirm commands. Check its power and its connection to the network; the room gets no heat until then.',
  'alert.valve_stays_on': 'The valve of {room} stays on',
  'alert.valve_stays_on_do':
    'Its relay reports on although it was switched off. Switch it off by hand and replace it: its contact may be welded.',
  'alert.floor_probe_silent': '{room}: the electric mat stays off, its floor probe does not report',
  'alert.floor_probe_silent_do':
    'Without a reading of the floor the mat must not heat. Check the probe and its battery, and its id under floor_probe in gateway.yaml.',
  'alert.auto_off_unproven': '{room}: the electric mat stays off until its relay is proven to switch off by itself',
  'alert.auto_off_unproven_do':
    'Run hypocaust gateway test --auto-off on the gateway, once for each relay. It takes less than a minute.',
  'alert.floor_limit': '{room}: the floor has reached its limit',
  'alert.floor_limit_do':
    'The floor probe measures the highest temperature allowed, so the loop stays closed until the floor has cooled. If this happens often, lower the supply temperature.',
  'alert.heat_source_failed': '{building}: heat is requested in several rooms but arrives in none',
  'alert.heat_source_failed_do': 'Check the boiler or heat pump, and the circulation pump of the floor heating.',
  'alert.supply_too_cold': '{building}: the heating water seems too cold for this weather',
  'alert.supply_too_cold_do':
    'Since {time} most rooms have been heated in full, and they are {difference}° too cold on average. Raise the heating curve of the boiler or heat pump, and check pump and mixer.',
  'alert.loop_low_flow': '{room}: the loop seems to get too little water',
  'alert.loop_low_flow_do':
    'Since {time} the room has been heated in full, and it is {difference}° too cold on average, while other rooms are warm. Open its flow meter at the manifold further and bleed the loop. If the flow is right, the floor cannot give more: lower the target.',
  'alert.sensors_swapped': '{building}: {rooms} seem swapped',
  'alert.sensors_swapped_do':
    'Each of the two rooms gets warm when the other is heated. Their sensors or their valves are mixed up: assign them the other way round in the set-up.',
  'alert.gateway_not_following': '{building}: a gateway does not follow its commands',
  'alert.gateway_not_following_do':
    'Its rooms are heated with the power they needed recently. The set-up page shows when each gateway last reported; restart the one that did not.',
  'alert.two_agents': '{building}: two agents run as the same gateway',
  'alert.two_agents_do':
    'One of them works the valves, the other only listens. Switch off the old box. If both are to stay, pair one of them as a gateway of its own.',
  'alert.mould_risk': '{room}: mould may grow on the coldest wall',
  'alert.mould_risk_do':
    'The air against it has been above 80\u00a0% humidity for {hours} hours a day. Open the windows wide several times a day, keep furniture away from outer walls, and heat the room a little more.',
  'alert.mould_risk_do_now':
    'The air against it has been above 80\u00a0% humidity for {hours} hours a day. Airing helps now: open the windows wide for {minutes} minutes. Heating the room a little more helps too.',
  'alert.mould_risk_do_later':
    'The air against it has been above 80\u00a0% humidity for {hours} hours a day. Airing does not help now, but from {from} on. Until then, heat the room a little more.',
  'alert.mould_risk_do_no':
    'The air against it has been above 80\u00a0% humidity for {hours} hours a day. Airing does not help in this weather, as the air outdoors is just as humid. Heat the room a little more, or use a dehumidifier.',
  'alert.window_open': '{room}: a window seems to be open',
  'alert.window_open_do': 'Close it when you are done; heating is paused until then.',
}

const de: Record<keyof typeof en, string> = {
  'alert.building_silent': '{building} meldet sich seit {time} nicht',
  'alert.building_silent_do': 'Prüfe Strom und Internetverbindung des Gateways. Bis dahin heizt es selbstständig.',
  'alert.sensor_silent': '{room}: Der Sensor meldet sich seit {time} nicht',
  'alert.sensor_silent_do': 'Wechsle die Batterie, oder bringe den Sensor näher ans Gateway.',
  'alert.sensor_never_heard': '{room}: Der Sensor hat sich noch nicht gemeldet',
  'alert.sensor_never_heard_do': 'Lege die Batterie ein, oder ordne dem Raum einen anderen Sensor zu.',
  'alert.battery_low': '{room}: Die Batterie des Sensors ist bei {percent}',
  'alert.battery_low_do': 'Wechsle sie in den nächsten Wochen.',
  'alert.target_unreachable': '{room}: Wird nicht warm genug, {degrees}° bei voller Heizleistung',
  'alert.target_unreachable_do':
    'Schließe Fenster und Türen, und prüfe, ob das Heizwasser warm genug ist. Wenn die Grenze des Bodens oder große Kälte der Grund ist, senke die Soll-Temperatur.',
  'alert.valve_without_effect': '{room}: Wärme wird angefordert, kommt aber nicht an',
  'alert.valve_without_effect_do':
    'Prüfe das Ventil dieses Raums: Stellantrieb, Kabel, Anschluss am Verteiler. Wenn auch andere Räume auskühlen, prüfe Pumpe und Kessel.',
  'alert.model_broken': '{room}: Das gelernte Modell war falsch und wurde zurückgesetzt',
  'alert.model_broken_do':
    'Der Raum wird allein nach seinem Messwert geheizt und neu gelernt; das dauert einige Tage. Prüfe Bodenart und Sensor in der Einrichtung, und ob an seinem Ventil noch etwas anderes hängt.',
  'alert.valve_silent': 'Das Ventil von {room} antwortet nicht',
  'alert.valve_silent_do':
    'Das Relais bestätigt keine Befehle. Prüfe Strom und Verbindung des Relais; bis dahin wird der Raum nicht geheizt.',
  'alert.valve_stays_on': 'Das Ventil von {room} bleibt eingeschaltet',
  'alert.valve_stays_on_do':
    'Das Relais meldet „ein“, obwohl es ausgeschaltet wurde. Schalte es von Hand aus und ersetze es: der Kontakt kann verklebt sein.',
  'alert.floor_probe_silent': '{room}: Die Heizmatte bleibt aus, ihr Bodenfühler meldet sich nicht',
  'alert.floor_probe_silent_do':
    'Ohne Messwert des Bodens darf die Matte nicht heizen. Prüfe den Fühler, seine Batterie und seine Kennung unter floor_probe in der gateway.yaml.',
  'alert.auto_off_unproven': '{room}: Die Heizmatte bleibt aus, bis ihr Relais nachweislich von selbst abschaltet',
  'alert.auto_off_unproven_do':
    'Führe am Gateway hypocaust gateway test --auto-off aus, einmal für jedes Relais. Das dauert weniger als eine Minute.',
  'alert.floor_limit': '{room}: Der Boden hat seine Grenze erreicht',
  'alert.floor_limit_do':
    'Der Bodenfühler misst die höchste erlaubte Temperatur; der Heizkreis bleibt zu, bis der Boden abgekühlt ist. Wenn das oft geschieht, senke die Vorlauftemperatur.',
  'alert.heat_source_failed': '{building}: Mehrere Räume fordern Wärme an, aber in keinem kommt sie an',
  'alert.heat_source_failed_do': 'Prüfe Kessel oder Wärmepumpe und die Umwälzpumpe der Fußbodenheizung.',
  'alert.supply_too_cold': '{building}: Das Heizwasser scheint für dieses Wetter zu kalt zu sein',
  'alert.supply_too_cold_do':
    'Seit {time} werden die meisten Räume mit voller Leistung geheizt und sind im Mittel {difference}° zu kalt. Stelle die Heizkurve von Kessel oder Wärmepumpe höher, und prüfe Pumpe und Mischer.',
  'alert.loop_low_flow': '{room}: Der Heizkreis scheint zu wenig Wasser zu bekommen',
  'alert.loop_low_flow_do':
    'Seit {time} wird der Raum mit voller Leistung geheizt und ist im Mittel {difference}° zu kalt, während andere Räume warm sind. Öffne den Durchflussmesser am Verteiler weiter, und entlüfte den Heizkreis. Wenn der Durchfluss stimmt, gibt der Boden nicht mehr her: Senke die Soll-Temperatur.',
  'alert.sensors_swapped': '{building}: {rooms} scheinen vertauscht zu sein',
  'alert.sensors_swapped_do':
    'Jeder der beiden Räume wird warm, wenn der andere geheizt wird. Ihre Sensoren oder ihre Ventile sind vertauscht: Ordne sie in der Einrichtung andersherum zu.',
  'alert.gateway_not_following': '{building}: Ein Gateway führt Befehle nicht aus',
  'alert.gateway_not_following_do':
    'Seine Räume werden mit der zuletzt benötigten Leistung geheizt. Die Einrichtung zeigt, wann sich jedes Gateway zuletzt gemeldet hat; starte das betroffene neu.',
  'alert.two_agents': '{building}: Zwei Agenten laufen als dasselbe Gateway',
  'alert.two_agents_do':
    'Einer von ihnen steuert die Ventile, der andere hört nur zu. Schalte das alte Gerät aus. Wenn beide bleiben sollen, kopple eines davon als eigenes Gateway.',
  'alert.mould_risk': '{room}: An der kältesten Wand kann Schimmel wachsen',
  'alert.mould_risk_do':
    'Die Luft dort war {hours} Stunden am Tag feuchter als 80\u00a0%. Lüfte mehrmals am Tag mit weit offenen Fenstern, rücke Möbel von den Außenwänden ab, und heize den Raum etwas mehr.',
  'alert.mould_risk_do_now':
    'Die Luft dort war {hours} Stunden am Tag feuchter als 80\u00a0%. Lüften hilft jetzt: Öffne die Fenster {minutes} Minuten lang weit. Auch etwas mehr Heizen hilft.',
  'alert.mould_risk_do_later':
    'Die Luft dort war {hours} Stunden am Tag feuchter als 80\u00a0%. Lüften hilft jetzt nicht, aber ab {from}. Heize den Raum bis dahin etwas mehr.',
  'alert.mould_risk_do_no':
    'Die Luft dort war {hours} Stunden am Tag feuchter als 80\u00a0%. Lüften hilft bei diesem Wetter nicht, denn draußen ist die Luft genauso feucht. Heize den Raum etwas mehr, oder verwende einen Luftentfeuchter.',
  'alert.window_open': '{room}: Ein Fenster scheint offen zu sein',
  'alert.window_open_do': 'Schließe es, wenn du fertig bist; bis dahin pausiert das Heizen.',
}

export const ALERT_WORDS = { en, de }

/** Under which key the words stand that say what to do: of mould, by whether airing helps. */
export const adviceKey = ({ kind, airing }: Pick<AlertFacts, 'kind' | 'airing'>) =>
  airing ? (`alert.mould_risk_do_${airing.advice}` as const) : (`alert.${kind}_do` as const)
