/** What detects water lies on the floor, under a sink or beside a boiler. */
export const OF_A_LEAK_SENSOR = 'the temperature of a leak sensor, on the floor or beside a pipe'

const SETTING: readonly [RegExp, string] = [
  /^(?:setpoint|set|selected|soll|wunsch|ziel|consigne|streef|gewenste?|doel|borvarde|target|goal|desired|wanted|eco|comfort|away|boost|preset|limit|min|max|minimum|maximum|high|low|lowest|highest|threshold|alarm|hysteresis|deadband|differential|calibration|offset|correction|adjust|adjustment|delta|diff|difference|trend|forecast|frost|protection|unit|units|sensitivity|tolerance|override|schedule|scheduled|step|setting|settings|delayed|sum|range)$/,
  'a setting or statistic, not a measured room temperature',
]

/** Words in the name of a temperature that is not the air of a room. */
const NOT_A_ROOM: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:internal|intern|cpu|chip|core|die|soc|esp|esp32|esp8266|board|pcb|processor|device|system|module|gpu|nas|disk|hdd|ssd|nvme|drive|router|modem|ups|server|raspberry|pi|rpi|proxmox|node|controller|driver|mosfet|heatsink|transistor|charger|inverter|wechselrichter|battery|batterie|cell|pack|bms|junction|phone|tablet|watch|printer|nozzle|hotend|extruder|motor|engine|car|vehicle|tire|tyre|oil|coolant|plug|relay|dimmer|breaker|meter|switch|socket|outlet|amplifier|psu|transformer|mos|mppt|mainboard|motherboard|package|hdmi|housing|connector|handle|rtc|camera|mcu|mpu|bmi|qmc5883l|hmc5883l)$/,
    'the temperature of a device, not of a room',
  ],
  SETTING,
  [
    /^(?:floor|fussboden|boden|plancher|sol|vloer|golv|eau|depart|retour|chaudiere|ballon|aanvoer|ketel|framledning|retur|panna|varmvatten|fussbodenheizung|vloerverwarming|golvvarme|estrich|heizkreis|quelle|kaltwasser|zirkulation|warmepumpe|waermepumpe|warmtepomp|varmepump|pompe|schwimmbad|piscine|zwembad|teich|vijver|gewachshaus|vaxthus|kylskap|koelkast|vriezer|congelateur|underfloor|ufh|slab|screed|flow|vorlauf|supply|return|ruecklauf|rucklauf|inlet|outlet_water|water|wasser|dhw|hw|hotwater|boiler|kessel|tank|buffer|puffer|cylinder|pipe|coil|loop|manifold|radiator|heater|hp|heatpump|pump|compressor|evaporator|condenser|exchanger|refrigerant|suction|discharge|exhaust|flue|solar|collector|pool|spa|aquarium|pond|soil|ground|brine|probe|external|ext|remote|ntc|freezer|fridge|refrigerator|oven|grill|meat|bbq|stove|sauna|dryer|washer|dishwasher|kettle|brew|fermenter|microwave|fryer|cooking|cavity|food|thermocouple|fumes|propane|condensing|liquid|gas|separator|leaving|extract|greenhouse|frysen|lodowka|kuhlschrank|gefrierschrank|frigo)$/,
    'water, floor, an appliance or a probe, not the air of a room',
  ],
  [
    /^(?:outdoor|outside|outdoors|outd|aussen|draussen|exterieure?|dehors|buiten|utomhus|garten|terrasse|balkon|jardin|tuin|tradgard|altan|gefuhlte|exterior|weather|garden|balcony|terrace|roof|openweathermap|buienradar|wind|windchill|dew|dewpoint|taupunkt|apparent|feels|realfeel|felt|heatindex|humidex|wetbulb|bulb|frostpoint|perception|absolute|color|colour|farbe)$/,
    'outdoor, derived or colour temperature, not a room',
  ],
  [/^(?:body|skin|rectal|collar)$/, 'the temperature of a person or an animal'],
]

const JOINED: readonly [RegExp, string][] = [
  [/feels_like|heat_index|wet_bulb|dew_point|color_temp|colour_temp|wind_chill/, 'a derived or colour temperature'],
  [/influence|infl(?![a-z])/, 'a setting or statistic, not a measured room temperature'],
  [
    /(?:^|[^a-z]|water)leak|flood(?!_?light)|wassermelder|leckage|wasserleck|fuite|inondation|lekkage|vattenlack/,
    OF_A_LEAK_SENSOR,
  ],
  [/fresh|exhaust/, 'the air of a ventilation, not of a room'],
]

/** `setflowtemp`, `Vorlauftemperatur`: what stands before and after `temp` in one word. */
const COMPOUND = /([a-z0-9]*)temp(?:eratur[ea]?|eratuur|eraturen)?([a-z0-9]*)/g
const BEFORE_TEMP = new RegExp(
  [
    '^(?:set|sel|target|desired|max|min|damped|wunsch|ziel|soll|streef|gewenste?|bor)',
    '^(?:day|night|holiday|vacreduce|eco|comfort|manual|summer|design|off|tag|nacht|ute|sole|eau)$',
    '(?:flow|ret|return|supply|outdoor|outside|ext|dew|gas|water|boiler|tank|dhw|ww|(?:^|floor)dry|collector)$',
    '(?:cyl(?:top|center|bottom)?|vorlauf|rucklauf|ruecklauf|aussen|kessel|speicher|puffer|soll|wasser|boden|quellen?)$',
    '(?:kollektor|taupunkt|buiten|aanvoer|retour|ketel|vloer|utomhus|framlednings?|retur|panna?|vatten|golv)$',
  ].join('|'),
)
const AFTER_TEMP = /^(?:set|diff|offset|max|min|corr|ext|vf|lim)/

/** What makes it a room's whatever device measures it; only a setting speaks against it. */
const A_ROOM = /(?:^|_)(?:room|indoor|inside)_(?:ambient_|air_)?temp/

/** A radiator with a thermostat measures the room. */
const RADIATOR_THERMOSTAT = /radiator(?=.*thermostat)|(?<=thermostat.*)radiator/g

/** `first_floor` and `sous_sol` are storeys and no floor probes. */
const STOREY =
  /sous[^a-z0-9]*sol|(?:ground|first|second|third|top|upper|lower|main|\d+(?:st|nd|rd|th)?)[^a-z0-9]*floor/g

/** Why a temperature of that name is not a room's, or undefined when nothing speaks against it. */
export function notARoom(name: string): string | undefined {
  const plain = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(STOREY, '')
    .replace(RADIATOR_THERMOSTAT, '')
  const reasons = A_ROOM.test(plain.replace(/[^a-z0-9]+/g, '_')) ? [SETTING] : NOT_A_ROOM
  const joined = JOINED.find(([form]) => form.test(plain))
  if (joined) return joined[1]
  for (const [, before = '', after = ''] of plain.matchAll(COMPOUND))
    if (BEFORE_TEMP.test(before) || AFTER_TEMP.test(after))
      return 'water, outdoor air or a setting by its name, not the air of a room'
  for (const word of plain.split(/[^a-z0-9]+/)) {
    const bare = word.replace(/\d+$/, '')
    const found = reasons.find(([words]) => words.test(word) || (bare !== '' && words.test(bare)))
    if (found) return found[1]
  }
  return undefined
}

/** Whether a name says temperature at all. */
export const namesTemperature = (name: string): boolean => /temp(?:$|[^a-z])|temperatu|^t\d?$/i.test(name)
