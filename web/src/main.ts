import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { direction, speak } from "./lib/messages";
import { prefs } from "./lib/prefs.svelte";

prefs.apply();
const language = await speak([...(prefs.language ? [prefs.language] : []), ...navigator.languages]);
document.documentElement.lang = language;
document.documentElement.dir = direction(language);
const target = document.getElementById("app");
if (target) mount(App, { target });
