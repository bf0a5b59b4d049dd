// Opens the page in Firefox over WebDriver BiDi, begins a pack, opens the page again and prints: node firefox.mjs LINK
import puppeteer from "puppeteer-core";

const [, , link] = process.argv;
const browser = await puppeteer.launch({ browser: "firefox", executablePath: "/usr/bin/firefox-esr", protocolTimeout: 400_000 });
try {
  const page = await browser.newPage();
  const until = (seen) => page.waitForFunction(seen, { timeout: 300_000, polling: 300 });
  await page.goto(link);
  await until(() => /Jackrealms/.test(document.querySelector("#main").innerText));
  await page.evaluate(() => { location.hash = "start/glog"; });
  await (await page.waitForSelector("#pack")).type("Mine");
  await page.click("form.begin button[type=submit]");
  await until(() => location.hash.startsWith("#mine/"));
  await page.goto("about:blank");
  await page.goto(link);
  await until(() => /Mine/.test(document.querySelector("#main").innerText));
  await page.evaluate(() => { location.hash = "mine/print/sheet"; });
  await until(() => document.querySelector(".paper:not(.stale) figure img")?.naturalWidth > 100);
  const asked = async () => (await fetch(document.querySelector(".margin a[data-file$='.pdf']").href)).text();
  console.log((await page.evaluate(asked)).slice(0, 5));
} finally {
  await browser.close();
}
