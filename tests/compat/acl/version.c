// SPDX-License-Identifier: Apache-2.0
// Versions of packages, from files and built in.
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/acl.h"

// Writes the file of a package under a new home, which it returns.
static void make_home(char home[64], const char *package, const char *text) {
    char path[256];
    (void)snprintf(home, 64, "/tmp/acl_version_XXXXXX");
    assert_non_null(mkdtemp(home));
    static const char *const folders[] = {"/share", "/share/info", "/share/info/"};
    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s%s%s", home, folders[i], i == 2 ? package : "");
        assert_int_equal(mkdir(path, 0700), 0);
    }
    (void)snprintf(path, sizeof path, "%s/share/info/%s/version.info", home, package);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(setenv("ASCEND_HOME_PATH", home, 1), 0);
}

static void remove_home(const char *home, const char *package) {
    char path[256];
    static const char *const ends[] = {"/version.info", ""};
    static const char *const folders[] = {"/share/info", "/share", ""};
    for (int i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "%s/share/info/%s%s", home, package, ends[i]);
        assert_int_equal(remove(path), 0);
    }
    for (int i = 0; i < 3; i++) {
        (void)snprintf(path, sizeof path, "%s%s", home, folders[i]);
        assert_int_equal(rmdir(path), 0);
    }
    assert_int_equal(unsetenv("ASCEND_HOME_PATH"), 0);
}

// Returns the number of a version, or an error as a negative number.
static int32_t number_of(const char *version) {
    char home[64];
    char text[64];
    char name[] = "my-package";
    int32_t number = 0;
    (void)snprintf(text, sizeof text, "first=1\nVersion=%s\nversion=2\n", version);
    make_home(home, "my_package", text); // found by the name with a dash
    aclError error = aclsysGetVersionNum(name, &number);
    remove_home(home, "my_package");
    return error == 0 ? number : -error;
}

static void a_version_is_a_number_that_grows(void **state) {
    (void)state;
    assert_int_equal(number_of("8.5.0"), 80500000);
    assert_int_equal(number_of("8.5"), 80500000);
    assert_int_equal(number_of("12.3.45"), 120345000);
    assert_int_equal(number_of("9.0.0-beta.2"), 89999802);
    assert_int_equal(number_of("9.0.0-rc.1"), 89999901);
    assert_int_equal(number_of("9.0.0.alpha003"), -ACL_ERROR_INTERNAL_ERROR); // three digits
    assert_int_equal(number_of("9.0.0-alpha"), 89999700);
    assert_int_equal(number_of("8.1.RC1"), 80099901);
    assert_int_equal(number_of("9.0.0-foo"), -ACL_ERROR_INTERNAL_ERROR);
    assert_int_equal(number_of("9.0.0--rc.1"), -ACL_ERROR_INTERNAL_ERROR);
    assert_int_equal(number_of("9"), -ACL_ERROR_INTERNAL_ERROR);
    assert_int_equal(number_of(""), -ACL_ERROR_INTERNAL_ERROR);
}

static void a_version_is_read_from_the_installation(void **state) {
    char home[64];
    char name[] = "runtime";
    char text[ACL_PKG_VERSION_MAX_SIZE];
    (void)state;
    make_home(home, "runtime", "Version=7.7.7\n");
    assert_acl_ok(aclsysGetVersionStr(name, text));
    assert_string_equal(text, "7.7.7");
    remove_home(home, "runtime");
    make_home(home, "runtime", "nothing\n");
    assert_acl(aclsysGetVersionStr(name, text), ACL_ERROR_INTERNAL_ERROR);
    remove_home(home, "runtime");
    assert_string_equal(text, "7.7.7");
}

static void built_in_version_is(void *version) {
    char text[ACL_PKG_VERSION_MAX_SIZE];
    char name[] = "runtime";
    assert_acl_ok(aclsysGetVersionStr(name, text));
    assert_string_equal(text, version);
}

static void the_built_in_version_is_that_of_the_generation(void **state) {
    static char versions[][8] = {"8.1.0", "8.5.0"};
    (void)state;
    acl_in_child(built_in_version_is, versions[0], "TARN_ACL_GENERATION", "1", NULL);
    acl_in_child(built_in_version_is, versions[1], NULL);
}

static void known_packages_have_a_version_without_an_installation(void **state) {
    static const char *const names[] = {"CANN",    "cann", "runtime", "compiler", "hccl",
                                        "toolkit", "opp",  "driver",  "firmware"};
    char text[ACL_PKG_VERSION_MAX_SIZE];
    char other[] = "other";
    char path[] = "../runtime";
    int32_t number = 7;
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%s", names[i]);
        assert_acl_ok(aclsysGetVersionStr(name, text));
        assert_string_equal(text, "8.5.0");
    }
    assert_acl(aclsysGetVersionStr(other, text), ACL_ERROR_INVALID_FILE);
    assert_acl(aclsysGetVersionNum(other, &number), ACL_ERROR_INVALID_FILE);
    assert_acl(aclsysGetVersionNum(path, &number), ACL_ERROR_INVALID_FILE);
    assert_int_equal(number, 7);
    assert_acl(aclsysGetVersionStr(NULL, text), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclsysGetVersionStr(other, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclsysGetVersionNum(NULL, &number), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclsysGetVersionNum(other, NULL), ACL_ERROR_INVALID_PARAM);
}

static void the_older_form_has_the_parts(void **state) {
    aclCANNPackageVersion version;
    (void)state;
    assert_int_equal(sizeof version, 512);
    memset(&version, 0x5a, sizeof version);
    assert_acl_ok(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
    assert_string_equal(version.version, "8.5.0");
    assert_string_equal(version.majorVersion, "8");
    assert_string_equal(version.minorVersion, "5");
    assert_string_equal(version.releaseVersion, "0");
    assert_string_equal(version.patchVersion, "");
    assert_acl(aclsysGetCANNVersion(ACL_PKG_NAME_CANN, NULL), ACL_ERROR_INVALID_PARAM);
    assert_acl(aclsysGetCANNVersion((aclCANNPackageName)8, &version), ACL_ERROR_INVALID_PARAM);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_version_is_a_number_that_grows),
        cmocka_unit_test(a_version_is_read_from_the_installation),
        cmocka_unit_test(known_packages_have_a_version_without_an_installation),
        cmocka_unit_test(the_built_in_version_is_that_of_the_generation),
        cmocka_unit_test(the_older_form_has_the_parts),
    };
    return cmocka_run_group_tests(tests, acl_group_setup, NULL);
}
