/** The text of a style sheet, as the build has it. */
declare module '*.css' {
  const text: string
  export default text
}
