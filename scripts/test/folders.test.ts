import { expect, test } from 'vitest'
import { foldersMissingIn, foldersOf } from '../folders.ts'

test('the folders to be shown are the top ones, those of each src, and those of the bands of the service', () => {
  const files = ['README.md', '.github/x.yml', 'docs/adr/0001.md', 'web/src/room/deep/tile.tsx', 'web/test/room/a.ts']
  expect(foldersOf(files)).toEqual(['docs', 'web', 'web/src/room'])
  expect(foldersOf(['service/src/house/rooms/deep/write.ts'])).toEqual([
    'service',
    'service/src/house',
    'service/src/house/rooms',
  ])
})

test('a folder is shown where its name stands with a slash, and not as a part of another name', () => {
  const document = '`domain/` and house/ rooms/\n loop-run/ without'
  expect(foldersMissingIn(document, ['domain', 'service/src/house', 'service/src/house/rooms'])).toEqual([])
  expect(foldersMissingIn(document, ['service/src/house/run', 'without'])).toEqual(['service/src/house/run', 'without'])
})
