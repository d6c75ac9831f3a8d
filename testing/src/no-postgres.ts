import type { TestProject } from 'vitest/node'

/** Stores are SQLite files only. */
export default (project: TestProject): void => project.provide('postgresUrl', '')
