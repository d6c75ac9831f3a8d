import { expect, test } from 'vitest'
import { plainNotes } from '../src/account/plain-notes.ts'

test('release notes are shown without the signs of Markdown', () => {
  const notes = '## What is new\n\n\n\n- **Floors** that cool\n* run `npm ci`, see [the docs](https://example.org/a)\n'
  expect(plainNotes(notes)).toBe('What is new\n\n• Floors that cool\n• run npm ci, see the docs')
})

test('what only looks like a sign stays', () => {
  expect(plainNotes('2 ** 3, a-b, C#, x * y')).toBe('2 ** 3, a-b, C#, x * y')
})
