import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ACTIVITIES, ALERT_KINDS, BOOST, USUAL_AWAY_C } from '@hypocaust/domain'
import { type Stage, setBrokerStage, setDemoStage, setStage, setTlsStage } from '@hypocaust/testing/python-stage.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

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
    expect(stderr).toMatch(/Ran 21 tests in [\d.]+s\n\nOK/)
  })

  test('entities and actions do theirs, with stubs of what Home Assistant provides', async () => {
    const { stderr } = await python(PYTHON, ['-m', 'unittest', 'test_entities'])
    expect(stderr).toMatch(/Ran 8 tests in [\d.]+s\n\nOK/)
  })
})

describe.skipIf(!HOME_ASSISTANT_PYTHON)('in a real Home Assistant', () => {
  test.each([
    ['the integration is set up, steered, re-authenticated and removed', 'in_home_assistant.py', setStage],
    ['a house that changes, and what needs a person', 'in_home_assistant_changes.py', setStage],
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
    expect([...repairs, 'target_unreachable', 'window_open', 'floor_limit'].sort()).toEqual([...ALERT_KINDS].sort())
    expect(Object.keys(json('translations/en.json').issues)).toEqual(expect.arrayContaining(repairs))
  })

  test('what a floor is doing has its words in both languages, and figures are those of the service', () => {
    for (const language of ['en', 'de'])
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
