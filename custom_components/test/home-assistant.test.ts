import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ACTIVITIES, ALERT_KINDS, BOOST, type Programme, USUAL_AWAY_C } from '@hypocaust/domain'
import { LANGUAGES, WEEKDAYS } from '@hypocaust/domain/facts'
import { type Stage, setBrokerStage, setDemoStage, setStage, setTlsStage } from '@hypocaust/testing/python-stage.ts'
import { allPassed } from '@hypocaust/testing/python-tests.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { minuteText } from '../../domain/src/schedule/local-time.ts'
import { nextStepMs, setbackAt } from '../../domain/src/schedule/programme-steps.ts'
import { setpointAt, setpointsFrom } from '../../domain/src/schedule/schedule.ts'
import { type ScheduleInputs, SETPOINT_REASONS } from '../../domain/src/schedule/types.ts'

const run = promisify(execFile)
const HERE = import.meta.dirname
const INTEGRATION = resolve(HERE, '../hypocaust')
const BLUEPRINTS = resolve(HERE, '../../deploy/home-assistant-blueprint')
const PYTHON = 'python3'

/** Says so where Python is missing, and does not let a build server skip anything. */
function withoutPython(): boolean {
  if (spawnSync(PYTHON, ['--version']).status === 0) return false
  if (process.env.CI === 'true') throw new Error('python3 is not installed: apt-get install python3')
  console.warn('SKIPPED: python3 is not installed, so the Home Assistant integration was not tested')
  return true
}

/** The steps of one day of a programme. */
const stepsOfDays = () =>
  fc
    .uniqueArray(
      fc.record({ at: fc.integer({ min: 0, max: 1439 }).map(minuteText), setback: fc.integer({ min: 0, max: 8 }) }),
      { selector: ({ at }) => at, maxLength: 4 },
    )
    .map((day) => day.sort((a, b) => a.at.localeCompare(b.at)))

/** A Python that has Home Assistant; docs/home-assistant.md says how to get one. */
const HOME_ASSISTANT_PYTHON = process.env.HYPOCAUST_HOME_ASSISTANT_PYTHON
if (!HOME_ASSISTANT_PYTHON) {
  console.warn('SKIPPED: HYPOCAUST_HOME_ASSISTANT_PYTHON is not set, so no entity ran in a real Home Assistant')
}

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.close())

const python = (program: string, args: string[], { env } = stage) =>
  run(program, args, { cwd: HERE, env: { ...process.env, ...env, PYTHONDONTWRITEBYTECODE: '1' } })

describe.skipIf(withoutPython())('the integration, without Home Assistant', () => {
  test('every module is Python', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'hypocaust-pycache-'))
    await run(PYTHON, ['-m', 'compileall', '-q', INTEGRATION], { env: { ...process.env, PYTHONPYCACHEPREFIX: cache } })
    rmSync(cache, { recursive: true, force: true })
  })

  test('client and mapping do their work before the real service', async () => {
    const { stderr } = await python(PYTHON, ['-m', 'unittest', 'test_client'])
    expect(stderr).toMatch(allPassed(join(HERE, 'test_client.py')))
  })

  test('entities and actions do theirs, with stubs of what Home Assistant provides', async () => {
    const { stderr } = await python(PYTHON, ['-m', 'unittest', 'test_entities'])
    expect(stderr).toMatch(allPassed(join(HERE, 'test_entities.py')))
  })

  test('a calendar has the steps at the moments and with the temperatures that the service goes by', async () => {
    const steps = stepsOfDays()
    const weekday = fc.constantFrom(...WEEKDAYS)
    const cases = fc.sample(
      fc.record({
        programme: fc.record({
          ...Object.fromEntries(WEEKDAYS.map((day) => [day, steps])),
          monday: fc.constant([{ at: '06:00', setback: 1 }]),
          dates: fc
            .constantFrom('2026-03-29', '2026-10-25', '2026-10-24')
            .chain((date) => fc.tuple(fc.record({ date: fc.constant(date), follows: weekday }))),
        }),
        timezone: fc.constantFrom(
          'Europe/Oslo',
          'America/New_York',
          'Asia/Kolkata',
          'Australia/Lord_Howe',
          'Atlantic/Azores',
        ),
        start: fc
          .constantFrom('2026-03-27', '2026-10-23', '2026-10-30', '2026-06-01', '2026-03-06')
          .map((day) => Date.parse(day)),
      }),
      { numRuns: 200, seed: 40 },
    ) as unknown as { programme: Programme; timezone: string; start: number }[]
    const { stdout } = await python(PYTHON, ['calendar_steps.py', JSON.stringify(cases)])
    const found = JSON.parse(stdout) as { start: number; end: number; setback: number }[][]
    expect(found).toHaveLength(cases.length)
    for (const [i, { programme, timezone, start }] of cases.entries()) {
      const spans = found[i] ?? []
      expect(spans[0]?.start).toBeLessThanOrEqual(start)
      for (const span of spans) {
        const say = JSON.stringify({ programme, timezone, span })
        expect(setbackAt(programme, timezone, span.start), say).toBe(span.setback)
        expect(nextStepMs(programme, timezone, span.start), say).toBe(span.end)
      }
    }
  })

  test('the plan of a day is what the service will heat towards', async () => {
    const days = daysOfRooms()
    const cases = days.map(({ inputs, nowMs, startMs }) => {
      const { now } = setpointsFrom(inputs, nowMs)
      return {
        targetC: inputs.targetC,
        steering: inputs.steering.kind,
        programme: inputs.programme,
        timezone: inputs.timeZone,
        away: inputs.away && {
          from: timestamp(inputs.away.fromMs),
          until: timestamp(inputs.away.untilMs),
          target_temperature: inputs.away.targetC,
        },
        outlook: {
          setpoint: now.setpointC,
          reason: now.reason,
          until: now.untilMs - nowMs > 370 * 24 * HOUR_MS ? null : timestamp(now.untilMs),
        },
        now: nowMs,
        start: startMs,
        end: startMs + 24 * HOUR_MS,
      }
    })
    const { stdout } = await python(PYTHON, ['day_plans.py', JSON.stringify(cases)])
    const plans = JSON.parse(stdout) as [number, number, number | null][][]
    expect(plans).toHaveLength(days.length)
    for (const [i, { inputs, nowMs, startMs }] of days.entries()) {
      const plan = plans[i] ?? []
      expect(plan[0]?.[0]).toBe(startMs)
      expect(plan.at(-1)?.[1]).toBe(startMs + 24 * HOUR_MS)
      for (const [, end, ,] of plan.slice(0, -1)) expect(plan.some(([start]) => start === end)).toBe(true)
      for (let atMs = nowMs; atMs < startMs + 24 * HOUR_MS; atMs += HOUR_MS / 6) {
        const { setpointC, steering } = setpointAt(inputs, atMs)
        const planned = plan.find(([start, end]) => start <= atMs && atMs < end)?.[2]
        const wanted = steering.kind === 'automatic' ? setpointC : null
        expect(planned, JSON.stringify({ ...cases[i], at: timestamp(atMs) })).toBe(wanted)
      }
    }
  })
})

const HOUR_MS = 3_600_000

/** Rooms with programmes, absences and overrides, each at a moment of a day. */
function daysOfRooms(): { inputs: ScheduleInputs; nowMs: number; startMs: number }[] {
  const programme = fc.record({ ...Object.fromEntries(WEEKDAYS.map((day) => [day, stepsOfDays()])) })
  const hours = (min: number, max: number) => fc.integer({ min, max }).map((hour) => hour * HOUR_MS)
  const span = fc.record({ begins: hours(-30, 30), lasts: hours(1, 60), isOpen: fc.boolean() })
  const override = fc
    .constantFrom('target', 'manual', 'off')
    .chain((kind) => hours(1, 40).map((ends) => ({ kind, ends })))
  return fc.sample(
    fc
      .record({
        targetC: fc.integer({ min: 7, max: 30 }),
        programme: fc.option(programme),
        override: fc.option(override),
        away: fc.option(span),
        steering: fc.constantFrom('automatic', 'automatic', 'off', 'manual'),
        timeZone: fc.constantFrom('Europe/Oslo', 'Asia/Kolkata'),
        day: fc.constantFrom('2026-01-10', '2026-03-29', '2026-10-25').map((day) => Date.parse(day)),
        now: hours(0, 23),
      })
      .map(({ day: startMs, now, away, override: chosen, steering, ...rest }) => {
        const nowMs = startMs + now
        const fromMs = nowMs + (away?.begins ?? 0)
        const untilMs = away?.isOpen ? Number.POSITIVE_INFINITY : fromMs + (away?.lasts ?? 0)
        const until = { untilMs: nowMs + (chosen?.ends ?? 0), setAtMs: nowMs }
        const inputs = {
          ...rest,
          steering: steering === 'manual' ? { kind: steering, power: 0.3 } : { kind: steering },
          away: away && untilMs > nowMs ? { fromMs, untilMs, setAtMs: nowMs - HOUR_MS, targetC: 15 } : null,
          override: chosen && { kind: chosen.kind, targetC: 24, power: 0.5, ...until },
        } as ScheduleInputs
        return { inputs, nowMs, startMs }
      }),
    { numRuns: 100, seed: 14 },
  )
}

const timestamp = (ms: number) => (Number.isFinite(ms) ? new Date(ms).toISOString() : null)

describe.skipIf(!HOME_ASSISTANT_PYTHON)('in a real Home Assistant', () => {
  test.each([
    ['the integration is set up, steered, re-authenticated and removed', 'in_home_assistant.py', setStage],
    ['a house that changes, and what needs a person', 'in_home_assistant_changes.py', setStage],
    ['statistics, the Energy dashboard, calendars, Assist and areas take it', 'in_home_assistant_daily.py', setStage],
    ['the integration does so before the demo that npm start runs', 'in_home_assistant_demo.py', setDemoStage],
    ['a service with its own TLS is trusted by its fingerprint', 'in_home_assistant_tls.py', setTlsStage],
    ['rooms found over MQTT are shown and steered', 'in_home_assistant_mqtt.py', setBrokerStage],
  ])('%s', { timeout: 900_000 }, async (_, program, setTheStage) => {
    const own = await setTheStage()
    try {
      const { stdout } = await python(HOME_ASSISTANT_PYTHON ?? '', [program], own)
      console.log(stdout)
      expect(stdout).toMatch(/all \d+ steps passed\n$/)
    } finally {
      await own.close()
    }
  })
})

const json = (path: string) => JSON.parse(readFileSync(join(INTEGRATION, path), 'utf8'))

describe('its files', () => {
  const keysOf = (value: unknown, path = ''): string[] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`))
      : [path]

  test('German says all that English says, with the same placeholders', () => {
    const [english, german] = [json('translations/en.json'), json('translations/de.json')]
    expect(keysOf(german)).toEqual(keysOf(english))
    const placeholders = (value: unknown) => JSON.stringify(value).match(/\{\w+\}/g)
    expect(placeholders(german)?.sort()).toEqual(placeholders(english)?.sort())
  })

  test('every sentence that the code asks for exists', () => {
    const english = json('translations/en.json')
    const code = readdirSync(INTEGRATION)
      .filter((name) => name.endsWith('.py'))
      .map((name) => readFileSync(join(INTEGRATION, name), 'utf8'))
      .join('\n')
    const asked = [...code.matchAll(/translation_key="(\w+)"/g)].map(([, key]) => key ?? '')
    const known = [english.exceptions, english.issues, ...Object.values<object>(english.entity)]
    expect(asked.filter((key) => !known.some((group) => key in group))).toEqual([])
    const wrongs = [...code.matchAll(/\{(?:CONF_API_KEY|"base"): "(\w+)"\}/g)].map(([, key]) => key ?? '')
    expect(new Set(wrongs)).toEqual(new Set(Object.keys(english.config.error)))
  })

  test('every kind of alert is a sensor, and a fault is a repair with its words', () => {
    const sourceOf = (name: string) => readFileSync(join(INTEGRATION, name), 'utf8')
    const quotedIn = (text = '') => [...text.matchAll(/"(\w+)"/g)].map(([, word]) => word)
    const sensors = quotedIn(
      /ROOM_ALERTS = \([\s\S]*?\n\)\n\nBUILDING_ALERTS = \([\s\S]*?\n\)/.exec(sourceOf('binary_sensor.py'))?.[0],
    )
    // It is named by a constant there.
    expect([...sensors, 'battery_low']).toEqual(expect.arrayContaining([...ALERT_KINDS]))
    const repairs = quotedIn(/SEVERITIES = \{[^}]*\}/.exec(sourceOf('issues.py'))?.[0])
    expect([...repairs, 'target_unreachable', 'window_open', 'floor_limit', 'close_blinds'].sort()).toEqual(
      [...ALERT_KINDS].sort(),
    )
    expect(Object.keys(json('translations/en.json').issues)).toEqual(expect.arrayContaining(repairs))
  })

  test('what a floor is doing has its words in all languages of the card, and figures are those of the service', () => {
    for (const language of LANGUAGES)
      expect(Object.keys(json(`translations/${language}.json`).entity.sensor.doing.state)).toEqual([...ACTIVITIES])
    const sensors = readFileSync(join(INTEGRATION, 'sensor_descriptions.py'), 'utf8')
    const listed = [...(/ACTIVITIES = \(([^)]*)\)/.exec(sensors)?.[1] ?? '').matchAll(/"(\w+)"/g)].map(
      ([, each]) => each,
    )
    expect(listed).toEqual([...ACTIVITIES])
    const mapping = readFileSync(join(INTEGRATION, 'mapping.py'), 'utf8')
    const figure = (pattern: RegExp) => Number(pattern.exec(mapping)?.[1])
    expect(figure(/BOOST_K = ([\d.]+)/)).toBe(BOOST.kelvin)
    expect(figure(/BOOST_FOR = timedelta\(hours=(\d+)\)/)).toBe(BOOST.hours)
    expect(figure(/USUAL_AWAY_C = ([\d.]+)/)).toBe(USUAL_AWAY_C)
  })

  test('the card says the same in every language, and has a word for every reason of a setpoint', async () => {
    const { wordsOf } = await import(join(INTEGRATION, 'card/words.js'))
    expect(Object.keys(wordsOf('en').reason)).toEqual([...SETPOINT_REASONS])
    expect(new Set(LANGUAGES.map(wordsOf)).size).toBe(LANGUAGES.length)
    const placeholders = (language: string) => JSON.stringify(wordsOf(language)).match(/\{\w+\}/g)
    for (const language of LANGUAGES) {
      expect(keysOf(wordsOf(language)), language).toEqual(keysOf(wordsOf('en')))
      expect(placeholders(language), language).toEqual(placeholders('en'))
    }
  })

  test('every action of services.yaml has its words and its icon', () => {
    const actions = parse(readFileSync(join(INTEGRATION, 'services.yaml'), 'utf8'))
    const english = json('translations/en.json').services
    expect(Object.keys(english)).toEqual(Object.keys(actions))
    for (const [name, { fields = {} }] of Object.entries<{ fields?: object }>(actions))
      expect(Object.keys(english[name].fields ?? {})).toEqual(Object.keys(fields))
    expect(Object.keys(json('icons.json').services)).toEqual(Object.keys(actions))
  })

  test.each(readdirSync(BLUEPRINTS))('the blueprint %s uses its inputs, and actions with fields that exist', (name) => {
    const used = new Set<string>()
    const resolveInput = (given: string) => {
      used.add(given)
      return given
    }
    const input = { tag: '!input', resolve: resolveInput }
    const { blueprint, ...body } = parse(readFileSync(join(BLUEPRINTS, name), 'utf8'), { customTags: [input] })
    expect([...used].sort()).toEqual(Object.keys(blueprint.input).sort())
    const known = parse(readFileSync(join(INTEGRATION, 'services.yaml'), 'utf8'))
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const { action, data = {} } = value as { action?: string; data?: object }
      const [, ours] = /^hypocaust\.(\w+)$/.exec(action ?? '') ?? []
      if (ours) expect(Object.keys(known[ours].fields ?? {})).toEqual(expect.arrayContaining(Object.keys(data)))
      Object.values(value).forEach(visit)
    }
    visit(body)
  })

  test('the manifest has the form Home Assistant checks: domain, name, then the alphabet', () => {
    const [first, second, ...rest] = Object.keys(json('manifest.json'))
    expect([first, second]).toEqual(['domain', 'name'])
    expect(rest).toEqual([...rest].sort())
    expect(json('manifest.json')).toMatchObject({ requirements: [], documentation: expect.stringMatching(/^https:/) })
  })

  test('the quality scale names every rule, and says why where a rule is not done', () => {
    const { rules } = parse(readFileSync(join(INTEGRATION, 'quality_scale.yaml'), 'utf8'))
    expect(Object.keys(rules)).toHaveLength(54)
    for (const [name, state] of Object.entries(rules)) {
      if (state === 'done') continue
      expect(state, name).toEqual({ status: expect.stringMatching(/^(todo|exempt)$/), comment: expect.any(String) })
    }
  })
})
