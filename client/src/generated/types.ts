// Made from the OpenAPI document by scripts/client-types.ts. Do not edit.

/** A building of the key’s holder. */
export interface Building {
  /** `{buildingId}` in paths. */
  id: string
  /** The holder’s name for it. */
  name: string
  location: {
    /** Degrees north. */
    lat: number
    /** Degrees east. */
    lng: number
  }
  /** True: a gateway has reported within the last 5 minutes. False: silent for longer. Null: no gateway has ever reported, there is nothing to connect to. The operator may choose another time. */
  available: boolean | null
  /** The latest heartbeat of any gateway of the building. Null when none ever reported. */
  last_seen: string | null
  /** The weather there. Null until it has been fetched. */
  weather: {
    /** When the source made these values. */
    updated: string
    /** Celsius. */
    temperature: number
    /** Percent, 0 to 100. */
    cloud_coverage: number
    wind: {
      /** Degrees the wind blows from, 0 is north. */
      direction: number
      /** Metres a second. */
      speed: number
    }
  } | null
}

/** A room with the latest reading of its sensor. */
export interface Room {
  /** `{roomId}` in paths. */
  id: string
  /** 1 to 100 characters after trimming, without control or invisible characters. */
  name: string
  /** Celsius, from the room’s sensor; of several the mean or the coldest. Null when none has ever reported, or not for 60 minutes. */
  current_temperature: number | null
  /** Percent, from the room’s sensor or sensors. Null as `current_temperature`, and when this kind of sensor does not tell. */
  current_humidity: number | null
  /** What the holder set, in Celsius; night mode and absence do not change it. */
  target_temperature: number
  /** Constant 7. */
  min_temp: number
  /** Constant 35. */
  max_temp: number
  /** `off` holds the room at zero power; `heat` leaves it to the heating control. */
  hvac_mode: 'heat' | 'off'
  /** All values of `hvac_mode`. */
  hvac_modes: ('heat' | 'off')[]
  /** `idle` is on, but not heating at the moment. While frost protection acts, a room that is off shows `heating`. */
  hvac_action: 'heating' | 'idle' | 'off'
  /** Base warmth of the floor, independent of the target: while the room itself needs less, `power` is 0.05 (`low`), 0.1 (`medium`) or 0.15 (`high`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and `power` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit. */
  preset_mode: 'none' | 'low' | 'medium' | 'high'
  /** All values of `preset_mode`. */
  preset_modes: ('none' | 'low' | 'medium' | 'high')[]
  /** A fixed power in place of the heating control. */
  manual_power: {
    /** Whether `power` overrides the heating control. */
    enabled: boolean
    /** A fraction from 0 to 1, used only while `enabled` is true. */
    power: number
  }
  /** Share of a time window in which the valve is open. Not watts, not a percentage; the window depends on the floor. */
  power: number
  /** Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case. */
  sensor_id: string
  /** The latest raw reading of the room’s sensor, however old it is. */
  sensor: {
    /** Same form as `sensor_id`. */
    id: string
    /** Celsius. */
    temperature: number
    /** Percent. Null if this kind of sensor does not report it. */
    humidity: number | null
    /** Battery in percent. Null if this kind of sensor does not report it. */
    batt: number | null
    /** Signal strength in dBm. Null if this kind of sensor does not report it. */
    rssi: number | null
    /** Time of the latest measurement. */
    timestamp: string
  } | null
}

/** Any subset of the writable fields; the rest stay as they were. */
export interface RoomPatch {
  /** 1 to 100 characters after trimming, without control or invisible characters. */
  name?: string
  /** What the holder set, in Celsius; night mode and absence do not change it. */
  target_temperature?: number
  /** Base warmth of the floor, independent of the target: while the room itself needs less, `power` is 0.05 (`low`), 0.1 (`medium`) or 0.15 (`high`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and `power` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit. */
  preset_mode?: 'none' | 'low' | 'medium' | 'high'
  /** `off` holds the room at zero power; `heat` leaves it to the heating control. */
  hvac_mode?: 'heat' | 'off'
  /** A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it. */
  manual_power?: {
    /** Whether `power` overrides the heating control. */
    enabled?: boolean
    /** A fraction from 0 to 1, used only while `enabled` is true. */
    power?: number
  }
  /** Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case. */
  sensor_id?: string
}

/** Changes of several rooms. */
export interface RoomPatches {
  /** Each room once, with the fields to change. */
  rooms: {
    /** The `id` of the room, in upper or lower case. */
    id: string
    /** 1 to 100 characters after trimming, without control or invisible characters. */
    name?: string
    /** What the holder set, in Celsius; night mode and absence do not change it. */
    target_temperature?: number
    /** Base warmth of the floor, independent of the target: while the room itself needs less, `power` is 0.05 (`low`), 0.1 (`medium`) or 0.15 (`high`), so that the floor stays warm underfoot. Where the room needs more on average, it gets that in longer openings, and `power` may be lower between them. It rests while the room is above its comfort band, off, under manual power or has an open window, and never heats the floor beyond its limit. */
    preset_mode?: 'none' | 'low' | 'medium' | 'high'
    /** `off` holds the room at zero power; `heat` leaves it to the heating control. */
    hvac_mode?: 'heat' | 'off'
    /** A member left out keeps its stored value. Ignored when `hvac_mode` is sent beside it. */
    manual_power?: {
      /** Whether `power` overrides the heating control. */
      enabled?: boolean
      /** A fraction from 0 to 1, used only while `enabled` is true. */
      power?: number
    }
    /** Colon-separated hexadecimal byte pairs. Upper case is accepted and becomes lower case. */
    sensor_id?: string
  }[]
}

/** A room’s past in even steps. What is not known is null. */
export interface History {
  /** Seconds between two points: 300 up to two days, more for longer spans. */
  step_s: number
  points: {
    /** When the step begins. */
    at: string
    /** @deprecated Use `at`. This one is sent until 2027-12-01 at least. */
    time: string
    /** Celsius, the mean of the readings in this step. */
    temperature: number | null
    /** Percent, the mean of the readings in this step. */
    humidity: number | null
    /** Celsius, of the mean temperature and humidity in this step. */
    dew_point: number | null
    /** Percent, of the air against the coldest surface of the room. */
    surface_humidity: number | null
    /** Share of the time for which the valve was to be open. */
    power: number | null
    /** Celsius, what the heating control aimed at: the target, or less at night and while away. */
    setpoint: number | null
    /** Celsius. */
    outdoor_temperature: number | null
  }[]
}

/** What stood behind the latest decision for a room. */
export interface Explanation {
  /** When it was decided. */
  decided_at: string
  /** What the floor is doing and why, in one word: the sentence is made from it. */
  activity:
    | 'off'
    | 'frost'
    | 'manual'
    | 'loop_test'
    | 'loop_search'
    | 'screed_heating'
    | 'no_valve'
    | 'no_gateway'
    | 'gateway_lost'
    | 'watched'
    | 'watched_unseen'
    | 'learned_power'
    | 'open_window'
    | 'grid_lock'
    | 'left_out'
    | 'dew_unknown'
    | 'dew_point'
    | 'cooling'
    | 'cool_enough'
    | 'no_reading'
    | 'floor_limit'
    | 'base_warmth'
    | 'between_openings'
    | 'warming_ahead'
    | 'heating'
    | 'can_wait'
    | 'too_warm'
    | 'warm_enough'
  /** @deprecated Use `activity`. This one is sent until 2027-12-01 at least. */
  doing:
    | 'off'
    | 'frost'
    | 'manual'
    | 'loop-test'
    | 'loop-search'
    | 'screed-heating'
    | 'no-valve'
    | 'no-gateway'
    | 'gateway-lost'
    | 'watched'
    | 'watched-unseen'
    | 'learned-power'
    | 'open-window'
    | 'grid-lock'
    | 'left-out'
    | 'dew-unknown'
    | 'dew-point'
    | 'cooling'
    | 'cool-enough'
    | 'no-reading'
    | 'floor-limit'
    | 'base-warmth'
    | 'between-openings'
    | 'warming-ahead'
    | 'heating'
    | 'can-wait'
    | 'too-warm'
    | 'warm-enough'
  /** Why, in English. */
  sentence: string
  details: string[]
  mode: 'off' | 'manual' | 'frost' | 'heat' | 'cool'
  power: number
  /** Power on average over the block: between two openings power is 0. */
  share: number
  /** What the control could go by. */
  basis: 'measured' | 'predicted' | 'model_only' | 'learned_power' | 'pi'
  /** @deprecated Use `basis`. This one is sent until 2027-12-01 at least. */
  rung: 'measured' | 'predicted' | 'model-only' | 'learned-power' | 'pi'
  /** What the control has noticed. */
  conditions: ('window_open' | 'boiler_off' | 'model_broken' | 'no_weather' | 'sensor_lost')[]
  /** @deprecated Use `conditions`. This one is sent until 2027-12-01 at least. */
  notices: ('window-open' | 'boiler-off' | 'model-broken' | 'no-weather' | 'sensor-lost')[]
  /** What has changed the planned power. */
  adjustments: (
    | 'floor_limit'
    | 'preset'
    | 'minimum_pulse'
    | 'above_band'
    | 'open_window'
    | 'grid_lock'
    | 'grid_limit'
    | 'left_out'
    | 'dew_unknown'
    | 'dew_point'
    | 'no_valve'
    | 'no_gateway'
    | 'gateway_lost'
    | 'watched'
    | 'watched_unseen'
  )[]
  /** @deprecated Use `adjustments`. This one is sent until 2027-12-01 at least. */
  caps: (
    | 'floor-limit'
    | 'preset'
    | 'minimum-pulse'
    | 'above-band'
    | 'open-window'
    | 'grid-lock'
    | 'grid-limit'
    | 'left-out'
    | 'dew-unknown'
    | 'dew-point'
    | 'no-valve'
    | 'no-gateway'
    | 'gateway-lost'
    | 'watched'
    | 'watched-unseen'
  )[]
  measured: {
    temperature: number
    age_s: number
  } | null
  estimate: {
    temperature: number
    floor: number
    floor_measured: boolean
    /** Kelvin: how far an estimated floor may be from that, two times out of three. Null where a probe measures, or where neither the target nor a minimum is one of the floor. */
    floor_error: number | null
  } | null
  /** Celsius. */
  outdoor_temperature: number | null
  /** @deprecated Use `outdoor_temperature`. This one is sent until 2027-12-01 at least. */
  outdoor: number | null
  aim: {
    /** Celsius. */
    setpoint: number
    /** @deprecated Use `setpoint`. This one is sent until 2027-12-01 at least. */
    target: number
    low: number
    high: number
    /** What the setpoint comes from. */
    reason: 'target' | 'programme' | 'away' | 'calendar' | 'presence' | 'override' | 'manual' | 'off' | 'frost'
  }
  without_heat: {
    /** The hour that decided. */
    at: string
    temperature: number
    low: number
    floor_needs_s: number
  } | null
  /** Where the price of heat changed the plan; null where it did not. */
  price: {
    /** cheap: heated now because heat is cheap. waits: for cheaper heat. */
    kind: 'cheap' | 'waits'
    /** Until then heat is cheap, or not cheap yet. */
    until: string
  } | null
  /** The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none. */
  warm_floor: {
    /** Celsius at the surface. */
    temperature: number
    /** From when the floor has it. */
    from: string
    /** Until when. */
    until: string
  } | null
  /** What the target and all other setpoints of the room are the temperature of. */
  target_of: 'air' | 'floor'
  /** While the building cools; null while it heats. What is not known is null. */
  cooling: {
    /** Celsius. */
    dew_point: number | null
    /** Celsius of the water. */
    supply_temperature: number | null
  } | null
  /** Hours of every day in which no heat arrives, as learned, by the clock of the building; null where there are none. */
  hours_without_heat: {
    from: string
    to: string
  } | null
  /** @deprecated Use `hours_without_heat`. This one is sent until 2027-12-01 at least. */
  no_heat?: {
    from: string
    to: string
  }
  /** 0 knows only the floor type, 1 has learned this room. */
  confidence: number
}

/** What is probably wrong with the heating of a room, what shows it, and what to check first. */
export interface Diagnosis {
  /** When the last days of the room were looked at; about once a day. */
  examined_at: string
  /** The most probable first; empty when nothing is probably wrong. */
  causes: {
    /** What is probably wrong. */
    cause:
      | 'little_flow'
      | 'actuator_stuck_closed'
      | 'actuator_stuck_open'
      | 'sensor_in_sun'
      | 'sensor_on_cold_wall'
      | 'sensors_swapped'
      | 'supply_too_cold'
      | 'source_without_heat'
      | 'heat_off_at_night'
      | 'window_often_open'
      | 'sensor_frozen'
      | 'other_floor'
    /** How probable it is, in houses like the simulated ones that the diagnosis was tried on. */
    probability: number
    /** About since when, by the day; never longer ago than the days that are looked at. */
    began_at: string
    /** Of swapped sensors, the other room; null for any other cause. */
    other_room_id: string | null
    /** What to check, the first thing first. */
    checks: (
      | 'vent_loop'
      | 'compare_flow'
      | 'try_actuator'
      | 'move_pin'
      | 'check_channel'
      | 'move_sensor'
      | 'compare_thermometer'
      | 'breathe_on_sensor'
      | 'read_supply'
      | 'raise_curve'
      | 'check_mixer'
      | 'check_source'
      | 'check_pump'
      | 'check_timer'
      | 'close_window'
      | 'restart_sensor'
      | 'check_floor_type'
    )[]
  }[]
  /** Celsius, columns of equal length; empty when nothing is probably wrong. */
  evidence: {
    /** Of the first value. */
    from: string
    /** Seconds from one value to the next. */
    step_s: number
    /** What the sensor showed; null where nothing was heard. */
    measured: (number | null)[]
    /** What it would have shown in a room without a fault. */
    healthy: (number | null)[]
    /** What it would have shown with the first cause; empty where that is not computed. */
    with_cause: (number | null)[]
  }
}

/** What a room is heated towards, why, and what comes next. */
export interface Outlook {
  /** Celsius: what the heating control works towards now. */
  setpoint: number
  /** What the setpoint comes from. Under `manual` and `off` the setpoint is the one the room returns to. */
  reason: 'target' | 'programme' | 'away' | 'calendar' | 'presence' | 'override' | 'manual' | 'off' | 'frost'
  /** Until when it holds. Null when nothing changes it. */
  until: string | null
  next: {
    /** From then on. */
    at: string
    /** Celsius. */
    setpoint: number
  } | null
  /** About when the setpoint will be reached. Null when it is reached already, or will not be while it holds. */
  reached_at: string | null
  /** Whether the floor is being heated. */
  heating: boolean
  /** What the floor is doing and why, in one word, as in the explanation. */
  activity:
    | 'off'
    | 'frost'
    | 'manual'
    | 'loop_test'
    | 'loop_search'
    | 'screed_heating'
    | 'no_valve'
    | 'no_gateway'
    | 'gateway_lost'
    | 'watched'
    | 'watched_unseen'
    | 'learned_power'
    | 'open_window'
    | 'grid_lock'
    | 'left_out'
    | 'dew_unknown'
    | 'dew_point'
    | 'cooling'
    | 'cool_enough'
    | 'no_reading'
    | 'floor_limit'
    | 'base_warmth'
    | 'between_openings'
    | 'warming_ahead'
    | 'heating'
    | 'can_wait'
    | 'too_warm'
    | 'warm_enough'
  /** @deprecated Use `activity`. This one is sent until 2027-12-01 at least. */
  doing:
    | 'off'
    | 'frost'
    | 'manual'
    | 'loop-test'
    | 'loop-search'
    | 'screed-heating'
    | 'no-valve'
    | 'no-gateway'
    | 'gateway-lost'
    | 'watched'
    | 'watched-unseen'
    | 'learned-power'
    | 'open-window'
    | 'grid-lock'
    | 'left-out'
    | 'dew-unknown'
    | 'dew-point'
    | 'cooling'
    | 'cool-enough'
    | 'no-reading'
    | 'floor-limit'
    | 'base-warmth'
    | 'between-openings'
    | 'warming-ahead'
    | 'heating'
    | 'can-wait'
    | 'too-warm'
    | 'warm-enough'
  /** Celsius: how warm the plan expects the room to be when `next` begins. Null unless `next` is higher than the setpoint and within the plan. */
  next_expected: number | null
  /** About when the plan reaches the setpoint of `next`. Null where it does not, or nothing is expected. */
  next_reached_at: string | null
  /** Celsius at the surface of the floor; null while nothing is known of the room. */
  floor_temperature: number | null
  /** Whether `floor_temperature` comes from a probe in the floor; else the model estimates it. */
  floor_measured: boolean
  /** Kelvin: how far an estimated floor may be from that, two times out of three. Null where a probe measures, or where neither the target nor a minimum is one of the floor. */
  floor_error: number | null
  /** What the target and all other setpoints of the room are the temperature of. */
  target_of: 'air' | 'floor'
  /** The minimum of the floor, now or to come, for which it is heated more than the room would need. Null where there is none. */
  warm_floor: {
    /** Celsius at the surface. */
    temperature: number
    /** From when the floor has it. */
    from: string
    /** Until when. */
    until: string
  } | null
  /** When to close blinds against the sun. */
  blinds: {
    /** The blinds to close. */
    sides: ('east' | 'south' | 'west')[]
    /** Close them by then. */
    close_at: string
    /** From then on the sun no longer matters. */
    open_at: string
    /** Celsius: how warm the room becomes with them open. */
    expected: number
    /** Celsius: how warm it becomes with them closed. */
    expected_closed: number
  } | null
}

/** The air of a room. What is not known is null. */
export interface Air {
  /** Celsius, as measured in the last hour. */
  temperature: number | null
  /** Percent, as measured in the last hour. */
  humidity: number | null
  /** Celsius: below this, water condenses. */
  dew_point: number | null
  /** Grams of water in a cubic metre. */
  absolute_humidity: number | null
  /** f_Rsi of the coldest surface, as entered. */
  surface_factor: number
  /** Celsius, of the coldest surface, by the factor and the last hours outdoors. */
  surface_temperature: number | null
  /** Percent, of the air against the coldest surface. */
  surface_humidity: number | null
  /** Hours a day with more than 80 % at that surface, as a running mean over days. */
  damp_hours: number | null
  /** High from 12 damp hours a day on, raised from 6. Null before two days are known. */
  mould_risk: 'low' | 'raised' | 'high' | null
  /** Null where the humidity outdoors or in the room is not known, or does not matter. */
  airing: {
    /** Whether opening the windows wide dries the room: now, later, or not within two days. */
    advice: 'now' | 'later' | 'no'
    /** For how long, where it helps now. */
    minutes: number | null
    /** From when on it helps, where that is later. */
    from: string | null
  } | null
  /** Kelvin by which the room is kept warmer against mould now. */
  warmed_by: number
}

/** An override of a room: another target, off, or a fixed power, until a time. */
export interface Override {
  /** Celsius, instead of the target. */
  target_temperature?: number
  /** The room is off meanwhile. */
  hvac_mode?: 'off'
  /** A fixed power meanwhile; set on the website. */
  power?: number
  /** When it ends by itself. */
  until: string
}

/** Another target, or off, until a time or for hours. */
export interface OverridePut {
  /** Celsius, instead of the target. */
  target_temperature?: number
  /** The room is off meanwhile. */
  hvac_mode?: 'off'
  /** When it ends by itself, at most a year ahead. */
  until?: string
  /** Hours from now, by the clock of the service; instead of `until`. At most a year. */
  hours?: number
}

/** How a person finds the room. */
export interface FeedbackPost {
  /** What a person in the room finds. */
  feeling: 'too_cold' | 'too_warm'
}

/** Another target or programme, by what people pressed. A person accepts or dismisses it on the website. */
export interface Proposal {
  /** What a person in the room finds. */
  feeling: 'too_cold' | 'too_warm'
  /** On how many of the last 28 days it was pressed. */
  days: number
  /** When the setpoint would be another. Null: the target of the whole week would be. */
  window: {
    weekdays: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
    /** Local time of the building as HH:MM. */
    from: string
    /** Local time as HH:MM; 00:00 is the end of the day. */
    to: string
  } | null
  /** Celsius, as it is planned. */
  setpoint: number
  /** Celsius, as it is proposed. */
  proposed_setpoint: number
}

/** An absence, now or to come. */
export interface Away {
  /** When it begins, or began. */
  from: string
  /** The return: the rooms are warm again by then. Null: until the absence is ended. */
  until: string | null
  /** Celsius to which the rooms may cool meanwhile. */
  target_temperature: number
}

/** Nobody is in the building for a while. */
export interface AwayPut {
  /** When it begins; now unless given. */
  from?: string
  /** The return: the rooms are warm again by then. At most a year ahead. Null: until the absence is ended. */
  until: string | null
  /** Celsius to which the rooms may cool meanwhile. */
  target_temperature: number
}

/** A limit on the power of the heat source, now or to come. */
export interface PowerLimit {
  /** What the heat source of the building may take from the grid, in watts. */
  limit_w: number
  /** When it begins, or began. */
  from: string
  /** When it ends. Of a contact, until when it counts unless it is reported again. */
  until: string
  /** enwg_14a: § 14a of the German energy act, never below 4200 W. agreed: a contract that allows any limit. */
  basis: 'enwg_14a' | 'agreed'
  /** How the service knows of it. */
  reported_by: 'interface' | 'gateway'
}

/** The grid limits the power of the heat source for a while. */
export interface PowerLimitPut {
  /** What the heat source of the building may take from the grid, in watts. */
  limit_w: number
  /** When it begins; now unless given. */
  from?: string
  /** When it ends: at most two days after it begins. */
  until: string
  /** enwg_14a: § 14a of the German energy act, never below 4200 W. agreed: a contract that allows any limit. */
  basis?: 'enwg_14a' | 'agreed'
}

/** Who is home now, as last reported. What was before is not stored. */
export interface Presence {
  people: {
    /** A person, or a device that stands for one. */
    name: string
    /** Null when it has not been reported for a day; it then counts as home. */
    home: boolean | null
    /** Since when that has been so, as far as reported. */
    changed_at: string
    /** The latest report. */
    reported_at: string
  }[]
  /** What follows when nobody is home. */
  rule: {
    /** For so long nobody has to be home before rooms may cool. */
    after_minutes: number
    /** Celsius: the setpoint until somebody comes, unless the room could not be warm again in time. */
    target_temperature: number
    /** A room cools only as far as it can be warmed again within so many hours. */
    warm_again_hours: number
  } | null
}

/** Who is home and who is not. People who are not named stay as they are. */
export interface PresencePut {
  people: {
    /** A person, or a device that stands for one. */
    name: string
    /** Null forgets the person. */
    home: boolean | null
  }[]
}

/** Something that needs a person. */
export interface Alert {
  /** What needs a person. */
  kind:
    | 'building_silent'
    | 'sensor_silent'
    | 'battery_low'
    | 'target_unreachable'
    | 'valve_without_effect'
    | 'model_broken'
    | 'valve_silent'
    | 'valve_stays_on'
    | 'floor_probe_silent'
    | 'auto_off_unproven'
    | 'heat_source_failed'
    | 'supply_too_cold'
    | 'loop_low_flow'
    | 'sensors_swapped'
    | 'mould_risk'
    | 'gateway_not_following'
    | 'two_agents'
    | 'disinfection_overdue'
    | 'cooling_left_on'
    | 'close_blinds'
    | 'sensor_never_heard'
    | 'window_open'
    | 'floor_limit'
  building_id: string
  building: string
  room_id: string | null
  room: string | null
  /** The names of both rooms, of an alert about two; else null. */
  room_names: string[] | null
  /** @deprecated Use `room_names`. This one is sent until 2027-12-01 at least. */
  rooms?: string[]
  /** Since when it holds, where that is known. */
  began_at: string | null
  /** @deprecated Use `began_at`. This one is sent until 2027-12-01 at least. */
  since: string | null
  /** Battery in percent, the room in Celsius, by how many kelvins rooms are too cold, or damp hours a day. */
  value: number | null
  /** Null where the humidity outdoors or in the room is not known, or does not matter. */
  airing: {
    /** Whether opening the windows wide dries the room: now, later, or not within two days. */
    advice: 'now' | 'later' | 'no'
    /** For how long, where it helps now. */
    minutes: number | null
    /** From when on it helps, where that is later. */
    from: string | null
  } | null
  /** What is probably behind an alert that leaves it open; null where that is not known. */
  diagnosis: {
    /** What is probably wrong. */
    cause:
      | 'little_flow'
      | 'actuator_stuck_closed'
      | 'actuator_stuck_open'
      | 'sensor_in_sun'
      | 'sensor_on_cold_wall'
      | 'sensors_swapped'
      | 'supply_too_cold'
      | 'source_without_heat'
      | 'heat_off_at_night'
      | 'window_often_open'
      | 'sensor_frozen'
      | 'other_floor'
    /** How probable it is, in houses like the simulated ones that the diagnosis was tried on. */
    probability: number
  } | null
}

/** The heat of each room, estimated by its model and scaled by a heat meter where one reports. Not a bill. */
export interface Energy {
  /** First day. */
  from: string
  /** Last day. */
  to: string
  /** The first of these days that counts; null where none does. */
  counted_from: string | null
  /** Until when heat of these days is counted; null where none is. */
  counted_until: string | null
  /** kWh of all rooms of which the area is known; null where there is none, or no day was counted. */
  heat: number | null
  /** kWh by which `heat` may be wrong: two times out of three it is within. */
  heat_error: number | null
  /** kWh: nine times out of ten the truth is between this and `heat_high`. */
  heat_low: number | null
  /** kWh: nine times out of ten the truth is between `heat_low` and this. */
  heat_high: number | null
  /** In `currency`; null where no price was known. */
  cost: number | null
  /** Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known. */
  currency: string | null
  /** kWh of all rooms since they began to be counted, whatever days are asked for. It never falls, also when a room is removed. */
  counter: number | null
  /** Days on which a heat meter reported. */
  metered_days: number
  /** Of the heat source; null where none is set. */
  efficiency: {
    /** learned: from days on which an electricity meter and a heat meter reported. */
    basis: 'assumed' | 'learned'
    /** Days it was learned from. */
    days: number
    /** Heat for each kWh paid for; of a heat pump at 2 °C outdoors and water of 35 °C. */
    value: number
  } | null
  rooms: {
    /** Of the room. */
    id: string
    name: string
    area_m2: number | null
    /** kWh that the floor took; null where the area of the room is not known, or no day was counted. */
    heat: number | null
    /** kWh by which `heat` may be wrong: two times out of three it is within. */
    heat_error: number | null
    /** kWh: nine times out of ten the truth is between this and `heat_high`. */
    heat_low: number | null
    /** kWh: nine times out of ten the truth is between `heat_low` and this. */
    heat_high: number | null
    /** kWh for each square metre of floor; null where no day was counted. */
    heat_per_m2: number | null
    /** Of the heat of the building, from 0 to 1. */
    share: number | null
    /** In `currency`; null where no price was known. */
    cost: number | null
    /** Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known. */
    currency: string | null
    /** kWh of the room since it began to be counted, whatever days are asked for. It never falls: where a day turns out to be less, it stands still until it is right. Null where the area was never known. */
    counter: number | null
    days: {
      /** Of the building. */
      day: string
      /** kWh; null where the area of the room is not known. */
      heat: number | null
      /** kWh for each square metre of floor. */
      heat_per_m2: number
      /** In `currency`; null where no price was known. */
      cost: number | null
      /** With `step=hour`: kWh of each of the 24 hours of the day, by the clock of the building; null where the area of the room is not known. An hour that the clocks repeat counts once, with both. */
      hours?: number[] | null
    }[]
    /** What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically. */
    savings: {
      /** Recorded days that were replayed on the model of the room: 7 to 28. */
      days: number
      /** Of the room in the replay, in Celsius. */
      target_temperature: number
      /** With a target half a degree lower. */
      half_degree_less: {
        /** Of the heat of the room; below zero it would have taken more. */
        percent: number
        /** The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none. */
        plus_minus: number
      }
      /** With each setback an hour earlier; null where the room has none. */
      setback_hour_earlier: {
        /** Of the heat of the room; below zero it would have taken more. */
        percent: number
        /** The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none. */
        plus_minus: number
      } | null
    } | null
  }[]
}

/** The heat of a room, estimated by its model and scaled by a heat meter where one reports. Not a bill. */
export interface RoomEnergy {
  /** Of the room. */
  id: string
  name: string
  area_m2: number | null
  /** kWh that the floor took; null where the area of the room is not known, or no day was counted. */
  heat: number | null
  /** kWh by which `heat` may be wrong: two times out of three it is within. */
  heat_error: number | null
  /** kWh: nine times out of ten the truth is between this and `heat_high`. */
  heat_low: number | null
  /** kWh: nine times out of ten the truth is between `heat_low` and this. */
  heat_high: number | null
  /** kWh for each square metre of floor; null where no day was counted. */
  heat_per_m2: number | null
  /** Of the heat of the building, from 0 to 1. */
  share: number | null
  /** In `currency`; null where no price was known. */
  cost: number | null
  /** Of the costs, as EUR (ISO 4217): what people pay with at the place, or the currency of the price source. Null where it is not known. */
  currency: string | null
  /** kWh of the room since it began to be counted, whatever days are asked for. It never falls: where a day turns out to be less, it stands still until it is right. Null where the area was never known. */
  counter: number | null
  days: {
    /** Of the building. */
    day: string
    /** kWh; null where the area of the room is not known. */
    heat: number | null
    /** kWh for each square metre of floor. */
    heat_per_m2: number
    /** In `currency`; null where no price was known. */
    cost: number | null
    /** With `step=hour`: kWh of each of the 24 hours of the day, by the clock of the building; null where the area of the room is not known. An hour that the clocks repeat counts once, with both. */
    hours?: number[] | null
  }[]
  /** What two changes would have saved in the last weeks, computed once a week and within a day after the settings of the room have changed. Null where it is not known: less than a week recorded, not learned yet, or not controlled automatically. */
  savings: {
    /** Recorded days that were replayed on the model of the room: 7 to 28. */
    days: number
    /** Of the room in the replay, in Celsius. */
    target_temperature: number
    /** With a target half a degree lower. */
    half_degree_less: {
      /** Of the heat of the room; below zero it would have taken more. */
      percent: number
      /** The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none. */
      plus_minus: number
    }
    /** With each setback an hour earlier; null where the room has none. */
    setback_hour_earlier: {
      /** Of the heat of the room; below zero it would have taken more. */
      percent: number
      /** The truth is within this of `percent` in about 19 of 20 cases; a saving within it is none. */
      plus_minus: number
    } | null
  } | null
}

/** What a house loses, and what it needs at design weather: on a cloudy day, with people and appliances as they are, each room at its target. */
export interface HouseReport {
  /** Outdoor temperature of the design weather, in °C. */
  outdoor_temperature: number
  /** End of the readings that it was worked out from; null where there are none. */
  until: string | null
  /** Days of readings that it was worked out from, at most 14. */
  days: number
  /** Whether a heat meter counted all of it. Without one there are shares only, and no kilowatts. */
  is_metered: boolean
  /** Kilowatts of all rooms with water at design weather; null without a heat meter. */
  heat_load: {
    value: number
    /** Nine times out of ten the truth is between this and `high`. */
    low: number
    high: number
  } | null
  /** Watts for each kelvin of outdoor temperature; null without a heat meter. */
  loss_per_kelvin: {
    value: number
    /** Nine times out of ten the truth is between this and `high`. */
    low: number
    high: number
  } | null
  /** Hours in which the house loses 63 % of its warmth without heat. */
  time_constant: number | null
  /** Of heat and sun together, the part of the sun, from 0 to 1. */
  sun_share: number | null
  /** More heat for one degree more in all rooms: 0.06 is 6 %. */
  degree: number | null
  supply: {
    /** Coldest water of the house in °C at design weather. */
    temperature: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    }
    /** Whether gateways measured the supply temperature; without that the ranges are wider. */
    is_measured: boolean
    /** The room that needs it. */
    limiting_room: string
    /** Each of these alone brings the limiting room down to the others. */
    relief: {
      /** Coldest water in °C that is enough for all other rooms. */
      supply: number
      /** Times as much water in its loops; null where no flow is enough. */
      flow: number | null
      /** Less loss of heat, as a share from 0 to 1. */
      less_loss: number
      /** Kelvin by which it would have to be cooler. */
      cooler: number
    } | null
    /** Heat over electricity of a heat pump in a season with this water. */
    seasonal_cop: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    }
    /** Where the efficiency of the heat pump comes from: usual for air to water, entered, or learned from its meters. */
    cop_basis: 'assumed' | 'entered' | 'learned'
    /** With the heating curve of today; null where the water is not measured. */
    today: {
      temperature: number
      seasonal_cop: number
    } | null
  } | null
  /** Before and after a renovation; null unless `renovated` is asked for. */
  renovation: {
    /** Of the renovation. */
    day: string
    /** Weeks before and after it with about the same outdoor temperature. */
    pairs: number
    /** Heat for each kelvin between indoors and outdoors: −0.2 is 20 % less. Null with fewer than three pairs. */
    change: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    } | null
    /** Whether a heat meter counted all of these weeks. */
    is_metered: boolean
  } | null
  rooms: {
    /** Of the room. */
    id: string
    name: string
    area_m2: number
    /** At which it is held: its target, in °C. */
    temperature: number
    /** Of the heat load of all rooms, from 0 to 1. */
    share: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    }
    /** Kilowatts at design weather; null without a heat meter, and for an electric mat. */
    heat_load: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    } | null
    /** Watts for each kelvin of outdoor temperature; null as `heat_load` is. */
    loss_per_kelvin: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    } | null
    /** Hours in which it loses 63 % of its warmth without heat. */
    time_constant: number
    /** Of heat and sun together, the part of the sun, from 0 to 1. */
    sun_share: number
    /** Coldest water in °C that is enough at design weather with the loop open; null for an electric mat. */
    supply: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    } | null
    /** Surface of the floor at design weather, in °C. */
    floor: number
    /** The highest that is allowed, in °C. */
    floor_limit: number
  }[]
  left_out: {
    /** Of the room. */
    id: string
    name: string
    /** no_area: its area has not been entered. not_learned: the model has not been learned. too_short: less than a week of readings. not_heated: it took no heat. */
    why: 'no_area' | 'not_learned' | 'too_short' | 'not_heated'
  }[]
}

/** By how much the water of each loop should change so that all rooms need the same supply temperature. Fewer than two rooms with water: no advice. */
export interface Balancing {
  /** Outdoor temperature of the design weather, in °C. */
  outdoor_temperature: number
  /** End of the readings that it was worked out from; null where there are none. */
  until: string | null
  /** Days of readings that it was worked out from, at most 14. */
  days: number
  /** Whether gateways measured the supply temperature; without that the ranges are wider. */
  is_measured: boolean
  /** The room that needs the warmest water; null without advice. */
  limiting_room: string | null
  /** Coldest water of the house in °C at design weather, as it is now. */
  supply: {
    value: number
    /** Nine times out of ten the truth is between this and `high`. */
    low: number
    high: number
  } | null
  /** The same after the change. */
  supply_after: number | null
  /** Kelvin by which the supply temperature can fall. */
  lowering: {
    value: number
    /** Nine times out of ten the truth is between this and `high`. */
    low: number
    high: number
  } | null
  rooms: {
    /** Of the room. */
    id: string
    name: string
    /** leave: the range of `flow` contains 1, so nobody can say whether it should be more or less. */
    advice: 'open' | 'throttle' | 'leave'
    /** Times as much water as now in each of its loops. */
    flow: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    }
    /** Coldest water in °C that is enough at design weather, as it is now. */
    supply: number
    /** The same after the change. */
    supply_after: number
    /** Of the heat load of all rooms, from 0 to 1. */
    share: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    }
    /** Kilowatts at design weather, estimated; null without a heat meter. */
    heat_load: {
      value: number
      /** Nine times out of ten the truth is between this and `high`. */
      low: number
      high: number
    } | null
    loops: {
      /** Of the gateway. */
      gateway_id: string
      channel: number
      /** As entered, in litres a minute. */
      design_flow_l_min: number | null
      /** Where the loop stands at its design flow now; null where that has not been entered. */
      advised_flow_l_min: number | null
    }[]
  }[]
  left_out: {
    /** Of the room. */
    id: string
    name: string
    /** no_area: its area has not been entered. not_learned: the model has not been learned. too_short: less than a week of readings. not_heated: it took no heat. */
    why: 'no_area' | 'not_learned' | 'too_short' | 'not_heated'
  }[]
}

/** What has changed. */
export interface Changes {
  /** For the next request. */
  cursor: string
  /** Empty when nothing has changed. */
  buildings: {
    /** `{buildingId}` in paths. */
    id: string
    /** Empty where only the building itself has changed. */
    rooms: string[]
  }[]
}

/** Who changed what and when. */
export interface Log {
  /** The latest first, at most 100. */
  entries: {
    /** `{buildingId}` in paths. */
    building_id: string
    /** Rises within a building. */
    sequence: number
    /** When. */
    at: string
    by: {
      /** Who or what made the change. */
      kind: 'person' | 'key' | 'command' | 'gateway' | 'home_assistant' | 'matter' | 'rule' | 'control' | 'operator'
      /** Of a key, a gateway or a rule; null for a person. */
      name: string | null
      /** Of the person, or of the holder of the key, at that time. */
      role: string | null
    }
    /** Null for a setting of the building. */
    room_id: string | null
    /** Name of the room or the building, at that time. */
    subject: string
    /** The setting; `room` where a room was added or removed. */
    field: string
    /** The value before, as its own path shows it; null where there was none. */
    before: string | number | Record<string, string | number | boolean | null> | null
    /** The value afterwards; null where there is none. */
    after: string | number | Record<string, string | number | boolean | null> | null
  }[]
  /** `before` of the next page; null on the last. */
  next: string | null
}

/** The key in use; never its value. */
export interface Key {
  /** Names the key, for instance to revoke it. */
  id: string
  /** What the holder called it. */
  name: string
  /** `write` includes reading, and can switch the heating off. */
  permission: 'read' | 'write'
  /** Null: it does not expire. */
  expires_at: string | null
}

/** The form of every error. */
export interface ErrorBody {
  error: {
    /** Machine-readable. Later versions may add codes. */
    code:
      | 'moved'
      | 'invalid_json'
      | 'invalid_body'
      | 'unknown_field'
      | 'invalid_value'
      | 'unknown_sensor'
      | 'missing_api_key'
      | 'invalid_api_key'
      | 'read_only_key'
      | 'not_permitted'
      | 'not_found'
      | 'method_not_allowed'
      | 'not_acceptable'
      | 'request_timeout'
      | 'precondition_failed'
      | 'body_too_large'
      | 'uri_too_long'
      | 'unsupported_media_type'
      | 'rate_limited'
      | 'headers_too_large'
      | 'internal_error'
      | 'unavailable'
    /** For a person; names the field or id it is about. */
    message: string
  }
}

/** The state of a building: each part as its own path answers it. */
export interface State {
  building: Building
  rooms: Room[]
  alerts: Alert[]
  away: Away | null
  power_limit: PowerLimit | null
  /** By the id of the room; null: none. */
  overrides: Record<string, Override | null>
  /** By the id of the room. */
  outlooks: Record<string, Outlook>
  /** By the id of the room. */
  air: Record<string, Air>
  /** What is proposed for a room after `feedback`, by the id of the room; null: none. */
  proposals: Record<string, Proposal | null>
  /** Of the building, as in the IANA database. */
  timezone: string
  /** Another one whenever anything else in it is: the `ETag` without quotes. */
  revision: string
}

/** The week plan of a room: steps for each weekday, and single dates that follow the plan of another weekday. The last step holds until the next one, also over days without steps. */
export interface Programme {
  /** In the order of the day. The last step of the day before holds until the first. */
  monday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  /** In the order of the day. The last step of the day before holds until the first. */
  tuesday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  /** In the order of the day. The last step of the day before holds until the first. */
  wednesday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  /** In the order of the day. The last step of the day before holds until the first. */
  thursday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  /** In the order of the day. The last step of the day before holds until the first. */
  friday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  /** In the order of the day. The last step of the day before holds until the first. */
  saturday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  /** In the order of the day. The last step of the day before holds until the first. */
  sunday?: {
    /** Local time as HH:MM. */
    at: string
    /** Kelvin below the target. */
    setback: number
  }[]
  dates?: {
    /** YYYY-MM-DD. */
    date: string
    /** The weekday whose plan counts on this date. */
    follows: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
  }[]
}

/** The rooms that get the programme. */
export interface ProgrammeCopies {
  room_ids: string[]
}

/** What a room is planned to be for four weeks. */
export interface ProgrammeCalendar {
  /** In the iCalendar format. */
  content: string
}

/** How closely a room is held at its setpoint, how warm its floor is at least and at most, what is known and done against mould, and its blinds. */
export interface RoomComfort {
  /** Kelvin either side of the target. */
  comfort_band: number
  /** Celsius at the surface. */
  max_floor_temperature: number
  /** How the floor is built: it decides how long a room takes to answer. */
  floor_type: 'screed' | 'dry' | 'timber' | 'slab' | 'electric'
  /** f_Rsi of the coldest surface: its share of the way from outdoors to the air of the room. */
  surface_factor: number
  /** Kelvin by which the room may be warmed against mould; 0: not at all. */
  mould_warming: number
  /** When the floor has at least this temperature. Where several overlap, the highest counts; the highest temperature allowed for the floor always does. */
  minimum_floor_temperature:
    | {
        /** Celsius at the surface. */
        temperature: number
        /** Local time as HH:MM; the floor is warm by then. */
        from: string
        /** Local time as HH:MM; one that is not later than `from` is of the next day. */
        to: string
        /** On which days it begins; every day unless given. */
        days?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
      }[]
    | null
  /** What the target and all other setpoints of the room are the temperature of. */
  target_of: 'air' | 'floor'
  /** Blinds outside the windows of a room. */
  blinds: {
    /** The sides on which windows have blinds outside. */
    sides: ('east' | 'south' | 'west')[]
    /** Celsius: the blinds are to be closed where the sun would make the room warmer than this. */
    above: number
    /** Covers that the gateway moves then, by their names in its file. Without any, nothing is moved. */
    covers?: string[]
    /** Percent to which they are moved, 100 is open; 10 unless given. */
    position?: number
  } | null
}

/** Only the fields sent change. The type of floor is read only. */
export interface RoomComfortPatch {
  /** Kelvin either side of the target. */
  comfort_band?: number
  /** Celsius at the surface. */
  max_floor_temperature?: number
  /** f_Rsi of the coldest surface: its share of the way from outdoors to the air of the room. */
  surface_factor?: number
  /** Kelvin by which the room may be warmed against mould; 0: not at all. */
  mould_warming?: number
  /** When the floor has at least this temperature. Where several overlap, the highest counts; the highest temperature allowed for the floor always does. */
  minimum_floor_temperature?:
    | {
        /** Celsius at the surface. */
        temperature: number
        /** Local time as HH:MM; the floor is warm by then. */
        from: string
        /** Local time as HH:MM; one that is not later than `from` is of the next day. */
        to: string
        /** On which days it begins; every day unless given. */
        days?: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
      }[]
    | null
  /** What the target and all other setpoints of the room are the temperature of. */
  target_of?: 'air' | 'floor'
  /** Blinds outside the windows of a room. */
  blinds?: {
    /** The sides on which windows have blinds outside. */
    sides: ('east' | 'south' | 'west')[]
    /** Celsius: the blinds are to be closed where the sun would make the room warmer than this. */
    above: number
    /** Covers that the gateway moves then, by their names in its file. Without any, nothing is moved. */
    covers?: string[]
    /** Percent to which they are moved, 100 is open; 10 unless given. */
    position?: number
  } | null
}

/** How firmly the rooms of a building are held at their setpoints. */
export interface BuildingComfort {
  /** comfort_first: held at the setpoint in expensive hours too. balanced: a little below it in expensive hours. saving: the whole comfort band is used at all times. Without prices comfort_first and balanced are the same. */
  comfort: 'comfort_first' | 'balanced' | 'saving'
}

/** Cooling of a building. */
export interface Cooling {
  /** Whether the source heats or cools. */
  season: 'heating' | 'cooling' | 'automatic'
  /** How the season automatic changes. The temperatures count for outdoor only. */
  changeover: {
    /** outdoor: by the mean temperature of a day. reported: as a contact or the source reports to a gateway. */
    by: 'outdoor' | 'reported'
    /** Celsius outdoors: above this the building cools. */
    cooling_above: number
    /** Celsius outdoors: below this it heats. */
    heating_below: number
  }
  rooms: {
    /** A room of the building. */
    room_id: string
    /** Celsius to which the room is cooled. Null: its loops stay shut while the building cools. */
    target_temperature: number | null
  }[]
  /** What the building does now. */
  state: {
    /** What the building does now. */
    season: 'heating' | 'cooling'
    /** Since when; null where it has always heated. */
    since: string | null
    /** Why it heats in the season of cooling: no gateway that is online can cool, a pipe may freeze, or a new screed is heated up. */
    blocked: 'no_gateway' | 'frost' | 'screed' | null
    /** Celsius of the water that is asked for; null while it heats. */
    supply_temperature: number | null
    /** Celsius, as the mean of a day. */
    outdoor_mean: number | null
    rooms: {
      /** A room. */
      room_id: string
      /** Celsius; null where the humidity is not known. */
      dew_point: number | null
      /** Whether its loops are open. */
      cooling: boolean
    }[]
  }
}

/** Without changeover the one before stays, and so do the rooms that are not named. */
export interface CoolingPut {
  /** Whether the source heats or cools. */
  season: 'heating' | 'cooling' | 'automatic'
  /** How the season automatic changes. The temperatures count for outdoor only. */
  changeover?: {
    /** outdoor: by the mean temperature of a day. reported: as a contact or the source reports to a gateway. */
    by: 'outdoor' | 'reported'
    /** Celsius outdoors: above this the building cools. */
    cooling_above: number
    /** Celsius outdoors: below this it heats. */
    heating_below: number
  }
  rooms?: {
    /** A room of the building. */
    room_id: string
    /** Celsius to which the room is cooled. Null: its loops stay shut while the building cools. */
    target_temperature: number | null
  }[]
}

/** Hot water of a building. Notices: legionella: below 60 °C without disinfection. disinfection_unproven: no sensor shows whether the tank is disinfected. scalding: water above 60 °C needs a mixing valve. not_asked: no gateway can ask the source. no_sensor: no gateway measures the tank. */
export interface HotWater {
  /** A tank of hot water that the heat source of the building heats. */
  settings: {
    /** Litres in the tank. */
    volume_l: number
    /** Celsius to which the source heats the tank. Below 50 only with disinfection. */
    temperature: number
    /** The least, in Celsius, that the tank has at the times at which water is to be hot. */
    tap_temperature: number
    /** How many people use it, for the first days. */
    people: number
    /** When water is to be hot; none: always. */
    times: {
      days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
      /** Local time as HH:MM. */
      from: string
      /** Local time as HH:MM. */
      to: string
    }[]
    /** Celsius to which the tank is heated once a week against legionella; null: never. */
    disinfection: number | null
  } | null
  /** What is known of the tank, and what it is to do; null until the control has looked at it. */
  state: {
    /** Celsius of the tank. */
    temperature: number
    /** When it was measured; null where it is only expected. */
    measured_at: string | null
    /** Whether the source makes hot water. */
    heating: boolean
    /** Whether it does so by an order of the service. */
    asked: boolean
    /** The next charge, or the one that runs. */
    next: {
      /** What the source is asked for. */
      kind: 'charge' | 'disinfect'
      /** When it begins, or began. */
      from: string
      /** When it is expected to end. */
      until: string
      /** Celsius to which the tank is heated. */
      temperature: number
    } | null
    /** When the tank was last disinfected, without a sensor as expected; null: not yet. */
    disinfected_at: string | null
    problems: ('too_cold' | 'disinfection_overdue')[]
  } | null
  notices: ('legionella' | 'disinfection_unproven' | 'scalding' | 'not_asked' | 'no_sensor')[]
}

/** Null: the control leaves hot water alone. */
export interface HotWaterPut {
  /** A tank of hot water that the heat source of the building heats. */
  settings: {
    /** Litres in the tank. */
    volume_l: number
    /** Celsius to which the source heats the tank. Below 50 only with disinfection. */
    temperature: number
    /** The least, in Celsius, that the tank has at the times at which water is to be hot. */
    tap_temperature: number
    /** How many people use it, for the first days. */
    people: number
    /** When water is to be hot; none: always. */
    times: {
      days: ('monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday')[]
      /** Local time as HH:MM. */
      from: string
      /** Local time as HH:MM. */
      to: string
    }[]
    /** Celsius to which the tank is heated once a week against legionella; null: never. */
    disinfection: number | null
  } | null
}

/** What a building can do for the grid, and what it has done. */
export interface Flexibility {
  /** When the offers were worked out: at most five minutes ago. */
  calculated_at: string
  /** Why power and energy are null. no_heat_source: none is set. not_electric: it does not take electricity. no_area: the area of a room is not known. no_meter: no meter has counted the heat source for the last week. */
  power_unknown: 'no_heat_source' | 'not_electric' | 'no_area' | 'no_meter' | null
  /** One a direction and duration; empty where the heat is not known to be made from electricity. */
  offers: {
    /** less: no electricity for the floors. more: as much as they can store. */
    direction: 'less' | 'more'
    /** For how long, from `calculated_at` on. */
    minutes: number
    /** By how many watts the heat source would take less, or more, on the mean of that time. */
    power_w: number | null
    /** The same as energy. */
    energy_kwh: number | null
    /** What the heat source is planned to take in that time. */
    planned_kwh: number | null
    /** What is taken later instead, within two days; below 0 it is less. */
    later_kwh: number | null
    /** By how much longer or further rooms are outside their comfort bands, all together. */
    kelvin_hours: number
    /** Kelvin by which a room becomes colder, or warmer, at most. */
    temperature_change: number
    /** How many rooms take part. */
    rooms: number
  }[]
  /** The latest power limits that were set through the interface, the newest first. */
  record: {
    /** When the limit began. */
    from: string
    /** When it ended. */
    until: string
    /** The limit, in watts. */
    limit_w: number
    /** When it was set, and the rest was worked out. */
    promised_at: string
    /** It was withdrawn or replaced before it ended: nothing was counted. */
    withdrawn: boolean
    /** What the rooms would have taken in that time. */
    planned_kwh: number | null
    /** What they were expected to leave untaken. */
    promised_kwh: number | null
    /** What they took, by their loops; null until it has been counted. */
    taken_kwh: number | null
    /** What they left untaken: planned less taken. */
    delivered_kwh: number | null
    /** What of the promise was not delivered. */
    missed_kwh: number | null
    /** What the electricity meters of the heat source counted in that time. */
    metered_kwh: number | null
  }[]
}

/** What all buildings of a key can do for the grid together. */
export interface FleetFlexibility {
  /** How many buildings this answer is about: 10 at most. */
  buildings: number
  /** Those whose power is known; the sums are theirs. */
  building_ids: string[]
  /** Send it as `after` for the buildings that follow; null: these were the last. */
  next: string | null
  /** The offers of these buildings, added up; empty where the power of none is known. */
  offers: {
    /** less: no electricity for the floors. more: as much as they can store. */
    direction: 'less' | 'more'
    /** For how long, from `calculated_at` on. */
    minutes: number
    /** By how many watts the heat source would take less, or more, on the mean of that time. */
    power_w: number | null
    /** The same as energy. */
    energy_kwh: number | null
    /** What the heat source is planned to take in that time. */
    planned_kwh: number | null
    /** What is taken later instead, within two days; below 0 it is less. */
    later_kwh: number | null
    /** By how much longer or further rooms are outside their comfort bands, all together. */
    kelvin_hours: number
  }[]
}

/** A calendar of a building, what follows from its events, and the next of them. */
export interface Calendar {
  id: string
  name: string
  /** Where it comes from. */
  source: 'address' | 'file'
  /** Of the address; the rest is a secret. */
  host: string | null
  /** Where several apply to a room at the same time, the first counts. */
  rules: {
    /** The rule applies to events whose title contains this, in any case. Empty: to every event. */
    title: string
    /** Null: the whole house. */
    room_ids: string[] | null
    /** `away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`. */
    effect: 'away' | 'comfort' | 'day'
    /** Celsius; with `away` only. */
    target_temperature?: number
    /** Local time; with `comfort` only, and only together with `to`. */
    from?: string
    /** Local time, later than `from`. */
    to?: string
    /** With `day` only. */
    follows?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
  }[]
  /** The last attempt to read it; null before the first. */
  checked_at: string | null
  /** Why the last attempt failed. What was read before goes on counting. Null: it did not fail. */
  problem:
    | 'address_not_allowed'
    | 'unreachable'
    | 'timeout'
    | 'not_found'
    | 'not_permitted'
    | 'refused'
    | 'too_many_redirects'
    | 'too_large'
    | 'not_a_calendar'
    | 'too_slow'
    | null
  /** How many of its events could not be read. */
  unreadable: number
  /** Of the next sixty days, at most a hundred. */
  events: {
    title: string
    /** When it begins. */
    starts_at: string
    /** When it ends. */
    ends_at: string
    /** Whether it has days instead of times. */
    all_day: boolean
    /** The first rule that applies to it, counted from 0; null: none. */
    rule: number | null
  }[]
}

/** The calendars of a building. Where several apply, the first counts. */
export interface Calendars {
  calendars: {
    id: string
    name: string
    /** Where it comes from. */
    source: 'address' | 'file'
    /** Of the address; the rest is a secret. */
    host: string | null
    /** Where several apply to a room at the same time, the first counts. */
    rules: {
      /** The rule applies to events whose title contains this, in any case. Empty: to every event. */
      title: string
      /** Null: the whole house. */
      room_ids: string[] | null
      /** `away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`. */
      effect: 'away' | 'comfort' | 'day'
      /** Celsius; with `away` only. */
      target_temperature?: number
      /** Local time; with `comfort` only, and only together with `to`. */
      from?: string
      /** Local time, later than `from`. */
      to?: string
      /** With `day` only. */
      follows?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
    }[]
    /** The last attempt to read it; null before the first. */
    checked_at: string | null
    /** Why the last attempt failed. What was read before goes on counting. Null: it did not fail. */
    problem:
      | 'address_not_allowed'
      | 'unreachable'
      | 'timeout'
      | 'not_found'
      | 'not_permitted'
      | 'refused'
      | 'too_many_redirects'
      | 'too_large'
      | 'not_a_calendar'
      | 'too_slow'
      | null
    /** How many of its events could not be read. */
    unreadable: number
    /** Of the next sixty days, at most a hundred. */
    events: {
      title: string
      /** When it begins. */
      starts_at: string
      /** When it ends. */
      ends_at: string
      /** Whether it has days instead of times. */
      all_day: boolean
      /** The first rule that applies to it, counted from 0; null: none. */
      rule: number | null
    }[]
  }[]
}

/** A calendar and what follows from its events. A new one has an `address` or `content`. */
export interface CalendarPut {
  name: string
  /** Where the calendar is published, in the iCalendar format. It is treated as a secret and never shown again. */
  address?: string
  /** An iCalendar file, instead of an address. */
  content?: string
  /** Where several apply to a room at the same time, the first counts. */
  rules: {
    /** The rule applies to events whose title contains this, in any case. Empty: to every event. */
    title: string
    /** Null: the whole house. */
    room_ids: string[] | null
    /** `away`: at most `target_temperature` during the event. `comfort`: the target of each room during the event, or from `from` to `to` on its days. `day`: the days of the event follow the programme of the weekday `follows`. */
    effect: 'away' | 'comfort' | 'day'
    /** Celsius; with `away` only. */
    target_temperature?: number
    /** Local time; with `comfort` only, and only together with `to`. */
    from?: string
    /** Local time, later than `from`. */
    to?: string
    /** With `day` only. */
    follows?: 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday'
  }[]
}

/** Every `error.code` of the interface. */
export type ErrorCode =
  | 'body_too_large'
  | 'headers_too_large'
  | 'internal_error'
  | 'invalid_api_key'
  | 'invalid_body'
  | 'invalid_json'
  | 'invalid_value'
  | 'method_not_allowed'
  | 'missing_api_key'
  | 'moved'
  | 'not_acceptable'
  | 'not_found'
  | 'not_permitted'
  | 'precondition_failed'
  | 'rate_limited'
  | 'read_only_key'
  | 'request_timeout'
  | 'unavailable'
  | 'unknown_field'
  | 'unknown_sensor'
  | 'unsupported_media_type'
  | 'uri_too_long'
