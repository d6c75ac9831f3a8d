import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Stage, setStage } from '@hypocaust/testing/python-stage.ts'
import { allPassed } from '@hypocaust/testing/python-tests.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { examplesOfReadme, PYTHON_PATHS, without } from './package.ts'

const run = promisify(execFile)

const EXPECTED: Record<string, RegExp> = {
  Read: /^Lakeside 12 Bathroom no reading → 20\nLakeside 12 Living room no reading → 20\n$/,
  'Change a room': /^Bathroom 22.5 low\n$/,
  'The past': /^28[89] None\nNone None\n$/,
  Follow: /^Bathroom 0%, Living room 0%\n$/,
  'With asyncio': /^Lakeside 12 Europe\/Oslo\n$/,
  'When it fails': /^The key is not valid \(any more\)\.\n$/,
}

let stage: Stage
let examples: Record<string, string>
/** The house as its file made it. */
let reset: () => Promise<unknown>
beforeAll(async () => {
  stage = await setStage()
  const { url, hands, writeKey } = JSON.parse(stage.env.HYPOCAUST_STAGE)
  reset = () => fetch(`${hands}/reset`, { method: 'POST' })
  examples = Object.fromEntries(
    examplesOfReadme().map(({ title, code }) => [
      title,
      code.replace('http://127.0.0.1:8080', url).replace('hyp_…', writeKey),
    ]),
  )
})
afterAll(() => stage.close())

const python = (args: string[]) =>
  run('python3', args, {
    env: { ...process.env, ...stage.env, PYTHONPATH: PYTHON_PATHS, PYTHONDONTWRITEBYTECODE: '1' },
  })

describe.skipIf(without('python3'))('the Python client', () => {
  test('does its work before the real service', async () => {
    const { stderr } = await python(['-m', 'unittest', 'test_client'])
    expect(stderr).toMatch(allPassed(join(import.meta.dirname, 'test_client.py')))
  })

  test('meets trouble as it promises', async () => {
    const { stderr } = await python(['-W', 'error', '-m', 'unittest', 'test_trouble'])
    expect(stderr).toMatch(allPassed(join(import.meta.dirname, 'test_trouble.py')))
  })

  test('has an example for each thing its README promises', () => {
    expect(Object.keys(examples)).toEqual(Object.keys(EXPECTED))
  })

  test.each(Object.entries(EXPECTED))('its example "%s" does what it says', async (title, printed) => {
    await reset()
    const { stdout } = await python(['-c', examples[title] ?? ''])
    expect(stdout).toMatch(printed)
  })
})
