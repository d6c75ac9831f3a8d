import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Slot } from '@hypocaust/control'
import { expect, onTestFinished, test } from 'vitest'
import { type House, parseHouse, readHouses } from '../src/predict/house.ts'
import { readPredictOptions } from '../src/predict/options.ts'
import { PREDICTORS, predictHouse } from '../src/predict/predict.ts'
import { formulaHouse, randomWalk, recordedHouse, SLOT_MS } from './recorded-house.ts'

const LOCATION = { lat: 51, lng: 0 }
const house = (slots: Slot[]): House => ({ name: 'test', location: LOCATION, floorTypes: ['electric', 'dry'], slots })

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hypocaust-predict-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('a house that repeats each day is predicted by yesterday without error, and by persistence with the known one', () => {
  const wave = formulaHouse(12, (index) => ({ airC: 20 + Math.sin((2 * Math.PI * index) / 48) }))
  const { rmse } = predictHouse(house(wave), 'electric')
  for (const error of rmse.yesterday) expect(error).toBeCloseTo(0)
  // sin(x + a) − sin(x) has the amplitude 2·sin(a/2).
  for (const [horizon, hours] of [2, 4, 8, 12].entries())
    expect(rmse.persistence[horizon]).toBeCloseTo(Math.SQRT2 * Math.sin((Math.PI * hours) / 24), 1)
})

test('a house of one capacity and one resistance is found by that model', () => {
  let airC = 20
  const simple = formulaHouse(10, (index) => {
    const [power, outdoorC] = [index % 7 < 3 ? 0.8 : 0.1, 5 + 4 * Math.sin(index / 9)]
    const kept = Math.exp(-0.5 / 40)
    airC = kept * airC + (1 - kept) * outdoorC + 0.5 * power
    return { airC, power, outdoorC }
  })
  for (const error of predictHouse(house(simple), 'electric').rmse.rc) expect(error).toBeLessThan(0.02)
})

test('nobody knows more than can be known: on a random walk no predictor is much better than persistence', () => {
  const { rmse } = predictHouse(house(randomWalk(20)), 'electric')
  for (const predictor of PREDICTORS)
    for (const [horizon, error] of rmse[predictor].entries())
      expect(error).toBeGreaterThan(0.85 * (rmse.persistence[horizon] as number))
})

test('on a house of the simulator the law learns: better than its prior and than persistence', () => {
  const { rmse, moments } = predictHouse(house(recordedHouse(14)), 'electric')
  expect(moments).toBeGreaterThan(100)
  expect(rmse.hypocaust[1]).toBeLessThan(rmse.persistence[1] as number)
  expect(rmse.hypocaust[3]).toBeLessThan(rmse.prior[3] as number)
})

test('gaps, lost readings and a few days only are scored as far as they go', () => {
  const whole = recordedHouse(5)
  const gappy = whole
    .filter((_, index) => index < 60 || index > 75)
    .map((slot, index) => (index % 11 === 0 ? { ...slot, airC: null } : slot))
  const { rmse, moments, learnedDays } = predictHouse(house(gappy), 'dry')
  expect(learnedDays).toBeCloseTo(2.5, 1)
  expect(moments).toBeGreaterThan(20)
  for (const predictor of PREDICTORS) for (const error of rmse[predictor]) expect(error).toBeGreaterThan(0)
})

test('a recording without anything to score says so', () => {
  expect(() => predictHouse(house(formulaHouse(1, () => ({}))), 'dry')).toThrow('test: 1.0 days are recorded')
  expect(() => predictHouse(house(formulaHouse(3, () => ({ airC: null }))), 'dry')).toThrow(/test: no reading after/)
  expect(() => predictHouse(house([]), 'dry')).toThrow('test: 0.0 days are recorded, at least 2 are needed')
})

test('a bad file is refused with its name, the place and what is allowed', () => {
  const slot = { endMs: SLOT_MS, airC: 20, power: 0.5, outdoorC: 5, windMs: 3, solarWm2: 0 }
  const file = (changes: object) =>
    JSON.stringify({ name: 'x', location: LOCATION, floorTypes: ['dry'], slots: [slot], ...changes })
  const cases: [string, string][] = [
    ['{', 'bad.json: is not JSON'],
    ['[]', 'bad.json: must be an object with name, location, floorTypes and slots'],
    [file({ slots: 7 }), 'bad.json: slots must be a list of half hours'],
    [file({ floorTypes: [] }), 'bad.json: floorTypes must be a list of one or more of: screed'],
    [file({ floorTypes: ['lava'] }), 'bad.json: floorTypes must be'],
    [file({ location: { lat: 'north' } }), 'bad.json: location must be {lat, lng} in degrees'],
    [file({ slots: [{ ...slot, airC: '20' }] }), 'bad.json: slots[0].airC must be a number or null, not "20"'],
    [file({ slots: [{ ...slot, power: 7 }] }), 'bad.json: slots[0].power must be from 0 to 1, not 7'],
    [file({ slots: [slot, { ...slot, endMs: 7 }] }), 'bad.json: slots[1].endMs must be the end of a half hour'],
    [file({ slots: [slot, slot] }), 'is there twice'],
    [file({ slots: [null] }), 'bad.json: slots[0] must be an object'],
  ]
  for (const [text, message] of cases) expect(() => parseHouse(text, 'bad.json')).toThrow(message)
})

test('a half hour without heat or weather is a gap, slots may come in any order, and the name may be left out', () => {
  const [a, b, c] = formulaHouse(1, () => ({}))
  const text = JSON.stringify({ floorTypes: ['slab', 'dry'], slots: [c, { ...b, power: null }, a] })
  expect(parseHouse(text, 'attic.json')).toEqual({
    name: 'attic',
    location: null,
    floorTypes: ['slab', 'dry'],
    slots: [a, c],
  })
})

test('files of the same name and folders without files are reported', () => {
  const text = JSON.stringify({ name: 'x', floorTypes: ['dry'], slots: [] })
  const { houses, problems } = readHouses(folderOf({ 'a.json': text, 'b.json': text, 'README.md': '#' }))
  expect(houses).toHaveLength(1)
  expect(problems).toEqual(['b.json: another file has the name "x" already'])
  expect(() => readHouses(folderOf({}))).toThrow('has no .json file')
  expect(() => readHouses('/nowhere/at/all')).toThrow('/nowhere/at/all cannot be read')
})

test('options say what is wrong with them', () => {
  expect(() => readPredictOptions([])).toThrow('--data is missing')
  expect(readPredictOptions(['--data', 'x'])).toEqual({ dataDir: 'x', outFile: null, allFloors: false })
})

test('the command writes each house by its name, as its first floor type, and reports the file it cannot use', async () => {
  const good = JSON.stringify({ ...house(recordedHouse(4)), name: 'good' })
  const folder = folderOf({ 'good.json': good, 'bad.json': '{}' })
  const outFile = join(folder, 'out/result.json')
  const main = join(import.meta.dirname, '../src/predict/main.ts')
  const run = promisify(execFile)(process.execPath, [main, '--data', folder, '--out', outFile])
  await expect(run).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('bad.json: slots must be a list'),
    stdout: expect.stringMatching(/good, configured as electric: .*boiler watch: \d+ false alarms/s),
  })
  const { sets } = JSON.parse(readFileSync(outFile, 'utf8'))
  expect(Object.keys(sets)).toEqual(['good'])
  expect(Object.keys(sets.good)).toEqual([...PREDICTORS])
  for (const predictor of PREDICTORS) expect(sets.good[predictor].rmse).toHaveLength(4)
})
