/** What detects water lies on the floor, under a sink or beside a boiler. */
export const OF_A_LEAK_SENSOR = 'the temperature of a leak sensor, on the floor or beside a pipe'

export const SETTING: readonly [RegExp, string] = [
  /^(?:setpoint|set|selected|soll|wunsch|ziel|consigne|streef|gewenste?|doel|borvarde|target|goal|desired|wanted|eco|comfort|away|boost|preset|limit|min|max|minimum|maximum|high|low|lowest|highest|threshold|alarm|hysteresis|deadband|differential|calibration|offset|correction|adjust|adjustment|delta|diff|difference|trend|forecast|frost|protection|unit|units|sensitivity|tolerance|override|schedule|scheduled|step|setting|settings|delayed|sum|range|change|derivative|rate|overlay)$/,
  'a setting or statistic, not a measured room temperature',
]

const DEVICE = 'the temperature of a device, not of a room'
const WATER = 'water, floor, an appliance or a probe, not the air of a room'
const OUTDOORS = 'outdoor, derived or colour temperature, not a room'

/** What has an inside of its own. */
export const ENCLOSED: readonly [RegExp, string] = [
  /^(?:car|vehicle|fridge|freezer|refrigerator|oven|greenhouse|sauna|aquarium|terrarium)$/,
  'the inside of a car, an appliance or a greenhouse, not a room',
]

/** Words in the name of a temperature that is not the air of a room. */
export const NOT_A_ROOM: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:internal|intern|cpu|chip|core|die|soc|esp|esp32|esp8266|board|pcb|processor|device|system|module|gpu|nas|disk|hdd|ssd|nvme|drive|router|modem|ups|server|raspberry|pi|rpi|proxmox|node|controller|driver|mosfet|heatsink|transistor|charger|inverter|wechselrichter|battery|batterie|cell|pack|bms|junction|phone|tablet|watch|printer|nozzle|hotend|extruder|motor|engine|car|vehicle|tire|tyre|oil|coolant|plug|relay|dimmer|breaker|meter|switch|socket|outlet|amplifier|psu|transformer|mos|mppt|mainboard|motherboard|package|hdmi|housing|connector|handle|rtc|camera|mcu|mpu|bmi|qmc5883l|hmc5883l)$/,
    DEVICE,
  ],
  SETTING,
  [
    /^(?:floor|fussboden|boden|plancher|sol|vloer|golv|eau|depart|retour|chaudiere|ballon|aanvoer|ketel|framledning|retur|panna|varmvatten|fussbodenheizung|vloerverwarming|golvvarme|estrich|heizkreis|quelle|kaltwasser|zirkulation|warmepumpe|waermepumpe|warmtepomp|varmepump|pompe|schwimmbad|piscine|zwembad|teich|vijver|gewachshaus|vaxthus|kylskap|koelkast|vriezer|congelateur|underfloor|ufh|slab|screed|flow|vorlauf|supply|return|ruecklauf|rucklauf|inlet|outlet_water|water|wasser|dhw|hw|hotwater|boiler|kessel|tank|buffer|puffer|cylinder|pipe|coil|loop|manifold|radiator|heater|hp|heatpump|pump|compressor|evaporator|condenser|exchanger|refrigerant|suction|discharge|exhaust|flue|solar|collector|pool|spa|aquarium|pond|soil|ground|brine|probe|external|ext|remote|ntc|freezer|fridge|refrigerator|oven|grill|meat|bbq|stove|sauna|dryer|washer|dishwasher|kettle|brew|fermenter|microwave|fryer|cooking|cavity|food|thermocouple|fumes|propane|condensing|liquid|gas|separator|leaving|extract|greenhouse|frysen|lodowka|kuhlschrank|gefrierschrank|frigo)$/,
    WATER,
  ],
  [
    /^(?:outdoor|outside|outdoors|outd|aussen|draussen|exterieure?|dehors|buiten|utomhus|garten|terrasse|balkon|jardin|tuin|tradgard|altan|gefuhlte|exterior|weather|garden|balcony|terrace|roof|openweathermap|buienradar|wind|windchill|dew|dewpoint|taupunkt|apparent|feels|realfeel|felt|heatindex|humidex|wetbulb|bulb|frostpoint|perception|absolute|color|colour|farbe)$/,
    OUTDOORS,
  ],
  [
    /^(?:patio|driveway|carport|courtyard|lake|sea|river|metar|aemet|knmi|smhi|weatherflow|tempest|wetter|wetterstation|terrassen|aussenluft|erdreich|rasen|beet|dwd|openmeteo|esterna|esterno|externa|externo|zewnetrzn[ay]|zewnatrz|venkovni|venku|ulko|ulkona|utendors|udendors)$/,
    OUTDOORS,
  ],
  [
    /^(?:mixer|mixing|immersion|glycol|chiller|cooler|beer|kegerator|vivarium|reptile|incubator|compost|coop|mailbox|letterbox|sump|well|smoker|kiln|chimney|fireplace|duct|intake|evap|surface|object|infrared)$/,
    WATER,
  ],
  [
    /^(?:mischer|mischerkreis|briefkasten|rohr|bodenfeuchte|erdreich|zisterne|herd|kamin|kollektor|solarthermie|abgas|rauchgas|pflanzen?|plant|terrarium|bienenstock|zuluft|abluft|fortluft|source|brauchwasser|tub|jacuzzi)$/,
    WATER,
  ],
  [
    /^(?:congel|cumulus|poele|fumees|pac|acqua|caldaia|mandata|ritorno|frigorifero|congelatore|piscina|agua|nevera|frigorifico|congelador|caldera|impulsion|retorno|invernadero)$/,
    WATER,
  ],
  [
    /^(?:boilervat|kas|frys|bastu|gulv|fremlob|varmtvann|varmtvand|kjoleskap|koleskab|fryser|lattia|menovesi|paluuvesi|kayttovesi|varaaja|jaakaappi|pakastin)$/,
    WATER,
  ],
  [
    /^(?:wod[ay]|zasilani[ae]|powrotu?|zamrazarka|basen|kociol|bufor|cwu|podlog[ai]|podlogowka|voda|podlah[ay]|zpatecka|kotel|bojler|lednice|mraznicka|bazen|cerpadlo)$/,
    WATER,
  ],
  [/^(?:rack|cabinet|machine|pv|akku|batteriespeicher|steckdose|wallbox|fritzbox|handy|drucker)$/, DEVICE],
  [/^(?:body|skin|rectal|collar)$/, 'the temperature of a person or an animal'],
  // What German compounds end in: `Warmwasserspeicher`, `Heizkreisvorlauf`. ESPHome drops the umlaut of `Rücklauf`.
  [
    /(?:vorlauf|cklauf|speicher|wasser|kessel|pumpe|schrank|truhe|k(?:ue?)?hler|ofen|fach|maschine|spue?ler|trockner|heizstab|beet|pool|becken)$/,
    WATER,
  ],
]

/** What measures: `Außenfühler` and `Gartensensor` are as good as `Außen` and `Garten`. */
export const INSTRUMENT = /(?:sensor|f(?:ue?)?hler|thermometer|modul|givare|anturi|voeler)$/

/** What says of a thermostat that it is not for a room: the name of its device or a setting does not. */
export const NO_ROOM_THERMOSTAT = [ENCLOSED, ...NOT_A_ROOM.filter(([, why]) => why === WATER || why === OUTDOORS)]

export const JOINED: readonly [RegExp, string][] = [
  [/feels_like|heat_index|wet_bulb|dew_point|color_temp|colour_temp|wind_chill/, 'a derived or colour temperature'],
  [/influence|infl(?![a-z])/, 'a setting or statistic, not a measured room temperature'],
  [
    /(?:^|[^a-z]|water)leak|flood(?!_?light)|wassermelder|leckage|wasserleck|fuite|inondation|lekkage|vattenlack/,
    OF_A_LEAK_SENSOR,
  ],
  [/^ute[^a-z0-9]*(?:temp|sensor|givare)|(?:^|[^a-z])au_+en/, OUTDOORS],
  [/shelly[^a-z]?(?:plus|pro|mini|gen)?[^a-z]?(?:\d|plug|switch|dimmer|(?:em|i4|uni)(?![a-z]))/, DEVICE],
  [/fresh|exhaust/, 'the air of a ventilation, not of a room'],
]

/** `setflowtemp`, `Vorlauftemperatur`: what stands before and after `temp` in one word. */
export const COMPOUND = /([a-z0-9]*)(?:temp(?:eratur[ea]?|eratuur|eraturen)?|lampotila|teplota)([a-z0-9]*)/g
export const BEFORE_TEMP = new RegExp(
  [
    '^(?:set|sel|target|desired|max|min|damped|wunsch|ziel|soll|streef|gewenste?|bor)',
    '^(?:day|night|holiday|vacreduce|eco|comfort|manual|summer|design|off|tag|nacht|ute|sole|eau)$',
    '(?:flow|ret|return|supply|outdoor|outside|ext|dew|gas|water|boiler|tank|dhw|ww|(?:^|floor)dry|collector)$',
    '(?:cyl(?:top|center|bottom)?|vorlauf|rucklauf|ruecklauf|aussen|kessel|speicher|puffer|soll|wasser|boden|quellen?)$',
    '^(?:ulko|lattia|veden|kayttoveden|meno|paluu)$',
    '(?:kollektor|taupunkt|buiten|aanvoer|retour|ketel|vloer|utomhus|framlednings?|retur|panna?|vatten|golv)$',
  ].join('|'),
)
export const AFTER_TEMP = /^(?:set|diff|offset|max|min|corr|ext|vf|lim)/
