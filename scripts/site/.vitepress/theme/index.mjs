import theme from 'vitepress/theme'
import './wide.css'

export default theme
